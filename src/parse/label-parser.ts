// Chunks of a reply → deltas as they become certain, then one reading. The reading is made once, at the end, from the whole text, so that it
// can't depend on the chunking; the deltas come from a scanner that only speaks when it is sure.
import type { ReadReply, ReplyParser } from '../core/dialect.js'
import type { Finish } from '../core/model.js'
import type { Delta } from '../core/reply.js'
import { assembleReply } from './assemble.js'
import { DeltaScanner } from './delta-scanner.js'
import type { Grammar } from './labels.js'
import { refuseInexact, type StrictCodes } from './not-exact.js'
import type { Assembled } from './reading.js'
import type { Toolbox } from './tool-shape.js'

/** A parser for one reply. */
export function createLabelParser(grammar: Grammar, box: Toolbox, strict?: StrictCodes): ReplyParser {
  return new LabelParser(grammar, box, strict)
}

/** Reads a whole reply at once, as a parser fed with it would, without the scanning when nothing about the reply is odd. */
export function readWhole(
  text: string,
  grammar: Grammar,
  box: Toolbox,
  finish: Finish = 'stop',
  strict?: StrictCodes,
): ReadReply {
  const read = refuseInexact(assembleReply(text, grammar, box, finish), strict, text)
  const odd = read.decision.kind === 'unclear' || read.problems.some(problem => problem.code !== 'INPUT_TO_ONLY_PARAMETER')
  return withDeltas(read, odd ? certainOf(text, grammar, read) : deltasOf(read))
}

function withDeltas({ thought, decision, problems, kept }: Assembled, deltas: readonly Delta[]): ReadReply {
  return { thought, decision, problems, kept, deltas }
}

/** What the scanner would give out, and the rest of it where that is certain. */
function certainOf(text: string, grammar: Grammar, read: Assembled): readonly Delta[] {
  const scanner = new DeltaScanner(grammar)
  scanner.push(text)
  const whole = textsOf(read)
  const deltas: Delta[] = []
  for (const channel of CHANNELS) {
    const emitted = scanner.emitted[channel].join('')
    const text = whole[channel].startsWith(emitted) ? whole[channel] : emitted
    if (text) deltas.push({ channel, text })
  }
  return deltas
}

function deltasOf({ thought, inputText, decision }: Assembled): readonly Delta[] {
  const deltas: Delta[] = []
  if (thought) deltas.push({ channel: 'thought', text: thought })
  if (inputText) deltas.push({ channel: 'input', text: inputText })
  if (decision.kind === 'answer' && decision.text) deltas.push({ channel: 'answer', text: decision.text })
  return deltas
}

type Texts = Readonly<Record<Delta['channel'], string>>

function textsOf({ thought, decision, inputText }: Assembled): Texts {
  return { thought: thought ?? '', input: inputText, answer: decision.kind === 'answer' ? decision.text : '' }
}

const CHANNELS = ['thought', 'input', 'answer'] as const

class LabelParser implements ReplyParser {
  readonly #grammar: Grammar
  readonly #box: Toolbox
  readonly #strict: StrictCodes | undefined
  readonly #scanner: DeltaScanner
  readonly #chunks: string[] = []
  #done = false
  #looks = 2
  #reading: ReadReply | undefined

  constructor(grammar: Grammar, box: Toolbox, strict: StrictCodes | undefined) {
    this.#grammar = grammar
    this.#box = box
    this.#strict = strict
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
    const text = this.#chunks.join('')
    const read = refuseInexact(assembleReply(text, this.#grammar, this.#box, finish), this.#strict, text)
    this.#reading = withDeltas(read, this.#rest(read))
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
  #rest(read: Assembled): readonly Delta[] {
    const deltas: Delta[] = []
    const whole = textsOf(read)
    for (const channel of CHANNELS) {
      const given = this.#scanner.emitted[channel].join('')
      const text = whole[channel]
      if (text.length > given.length && text.startsWith(given)) deltas.push({ channel, text: text.slice(given.length) })
    }
    return deltas
  }
}

const NOTHING: readonly Delta[] = []
