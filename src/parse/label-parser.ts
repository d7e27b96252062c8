// Chunks of a reply → deltas as they become certain, then one reading. The reading is made once, at the end, from the whole text, so that it
// can't depend on the chunking; the deltas come from a scanner that only speaks when it is sure.
import type { ReadReply, ReplyParser } from '../core/dialect.js'
import type { Finish } from '../core/model.js'
import type { Delta } from '../core/reply.js'
import { type Assembled, assembleReply } from './assemble.js'
import { DeltaScanner } from './delta-scanner.js'
import type { Grammar } from './labels.js'
import type { Toolbox } from './tool-shape.js'

/** A parser for one reply. */
export function createLabelParser(grammar: Grammar, box: Toolbox): ReplyParser {
  return new LabelParser(grammar, box)
}

/** Reads a whole reply at once; its deltas are the texts themselves. */
export function readWhole(text: string, grammar: Grammar, box: Toolbox, finish: Finish = 'stop'): ReadReply {
  const { inputText, ...parsed } = assembleReply(text, grammar, box, finish)
  const deltas: Delta[] = []
  if (parsed.thought) deltas.push({ channel: 'thought', text: parsed.thought })
  if (inputText) deltas.push({ channel: 'input', text: inputText })
  if (parsed.decision.kind === 'answer' && parsed.decision.text) deltas.push({ channel: 'answer', text: parsed.decision.text })
  return { ...parsed, deltas }
}

class LabelParser implements ReplyParser {
  readonly #grammar: Grammar
  readonly #box: Toolbox
  readonly #scanner: DeltaScanner
  readonly #chunks: string[] = []
  #done = false
  #looks = 2
  #reading: ReadReply | undefined

  constructor(grammar: Grammar, box: Toolbox) {
    this.#grammar = grammar
    this.#box = box
    this.#scanner = new DeltaScanner(grammar)
  }

  get done(): boolean {
    return this.#done
  }

  push(chunk: string): readonly Delta[] {
    if (this.#reading || chunk === '') return NOTHING
    this.#chunks.push(chunk)
    const deltas = this.#scanner.push(chunk)
    if (!this.#done) this.#lookForEnd()
    return deltas
  }

  end(finish: Finish = 'stop'): ReadReply {
    if (this.#reading) return this.#reading
    const read = assembleReply(this.#chunks.join(''), this.#grammar, this.#box, finish)
    const { inputText, ...parsed } = read
    this.#reading = { ...parsed, deltas: this.#rest(read, inputText) }
    return this.#reading
  }

  /** An invented observation behind a complete call ends the reply, if the call can be read. */
  #lookForEnd(): void {
    const at = this.#scanner.takeSuspect()
    if (at < 0 || this.#looks === 0) return
    this.#looks--
    const read = assembleReply(this.#chunks.join('').slice(0, at), this.#grammar, this.#box, 'stop')
    this.#done =
      read.decision.kind === 'act' &&
      read.problems.some(problem => problem.code === 'INVENTED_OBSERVATION' || problem.code === 'STOP_WORD_CUT')
  }

  /** What the scanner did not give out already. */
  #rest(read: Assembled, inputText: string): readonly Delta[] {
    const deltas: Delta[] = []
    const whole = {
      thought: read.thought ?? '',
      input: inputText,
      answer: read.decision.kind === 'answer' ? read.decision.text : '',
    }
    for (const channel of ['thought', 'input', 'answer'] as const) {
      const given = this.#scanner.emitted[channel].join('')
      const text = whole[channel]
      if (text.length > given.length && text.startsWith(given)) deltas.push({ channel, text: text.slice(given.length) })
    }
    return deltas
  }
}

const NOTHING: readonly Delta[] = []
