// Chunks of a reply → deltas as they become certain, then one reading. The reading is made at the end, from the whole text, so that it can't depend
// on the chunking; what is read before that only tells whether the reply is over. The deltas come from a scanner that only speaks when it is sure.
import type { ReadReply, ReplyParser } from '../core/dialect.js'
import { SaydoError } from '../core/errors.js'
import { FINISHES, type Finish } from '../core/model.js'
import type { Delta, Problem } from '../core/reply.js'
import { assembleReply, isDecided } from './assemble.js'
import { DeltaScanner } from './delta-scanner.js'
import { EndWatch } from './end-watch.js'
import { CHANNELS, type Texts } from './given-text.js'
import type { Grammar } from './grammar.js'
import { refuseInexact, type Strict } from './not-exact.js'
import type { Assembled } from './reading.js'
import { MAX_REPLY, ReplyText } from './reply-text.js'
import type { Toolbox } from './tool-shape.js'

/** A parser for one reply. */
export function createLabelParser(grammar: Grammar, box: Toolbox, strict?: Strict): ReplyParser {
  return new LabelParser(grammar, box, strict)
}

/** Reads a whole reply at once, as a parser fed with it would, without the scanning when nothing about the reply is odd. */
export function readWhole(reply: string, grammar: Grammar, box: Toolbox, finish: Finish = 'stop', strict?: Strict): ReadReply {
  requireFinish(finish)
  // what goes beyond the longest reply is not read, as if the endpoint had cut it off there
  if (reply.length > MAX_REPLY) return cutShort(readWhole(reply.slice(0, MAX_REPLY), grammar, box, 'length', strict))
  const read = refuseInexact(assembleReply(reply, grammar, box, finish), strict, reply)
  const odd =
    read.decision.kind === 'unclear' ||
    (read.problems.length > 0 && read.problems.some(problem => problem.code !== 'INPUT_TO_ONLY_PARAMETER'))
  return withDeltas(read, odd ? certainOf(reply, grammar, read) : deltasOf(read))
}

/** The reading of as much as is read of a longer reply, with a remark on the rest. */
function cutShort(read: ReadReply): ReadReply {
  return { ...read, problems: [...read.problems, BEYOND] }
}

function withDeltas({ thought, decision, problems, kept }: Assembled, deltas: readonly Delta[]): ReadReply {
  return { thought, decision, problems, kept, deltas }
}

/** What the scanner would give out, and the rest of it where that is certain. */
function certainOf(reply: string, grammar: Grammar, read: Assembled): readonly Delta[] {
  const scanner = new DeltaScanner(grammar)
  scanner.push(reply)
  const given = scanner.given(reply)
  const whole = textsOf(read)
  const deltas: Delta[] = []
  for (const channel of CHANNELS) {
    const text = whole[channel].startsWith(given[channel]) ? whole[channel] : given[channel]
    if (text) deltas.push({ channel, text })
  }
  return deltas
}

function deltasOf({ thought, inputText, decision }: Assembled): readonly Delta[] {
  const channel = decision.kind === 'answer' ? 'answer' : 'input'
  const text = decision.kind === 'answer' ? decision.text : inputText
  if (!thought) return text ? [{ channel, text }] : NOTHING
  const first: Delta = { channel: 'thought', text: thought }
  return text ? [first, { channel, text }] : [first]
}

function textsOf({ thought, decision, inputText }: Assembled): Texts {
  return { thought: thought ?? '', input: inputText, answer: decision.kind === 'answer' ? decision.text : '' }
}

class LabelParser implements ReplyParser {
  readonly #grammar: Grammar
  readonly #box: Toolbox
  readonly #strict: Strict | undefined
  readonly #scanner: DeltaScanner
  readonly #watch: EndWatch
  readonly #text = new ReplyText()
  #watching = false
  #done = false
  /** How many characters were read early. */
  #looked = 0
  #reading: ReadReply | undefined

  constructor(grammar: Grammar, box: Toolbox, strict: Strict | undefined) {
    this.#grammar = grammar
    this.#box = box
    this.#strict = strict
    this.#scanner = new DeltaScanner(grammar)
    this.#watch = new EndWatch(grammar)
  }

  get done(): boolean {
    return this.#done
  }

  push(chunk: string): readonly Delta[] {
    if (this.#reading || this.#text.overflowed) return NOTHING
    const kept = this.#text.add(chunk)
    const deltas = this.#scanner.push(kept)
    this.#done ||= this.#text.overflowed || (this.#mayBeOver(kept) && this.#isOver())
    return deltas
  }

  /** In a thought nothing can be over: the watch begins where it ends. */
  #mayBeOver(chunk: string): boolean {
    const from = this.#scanner.thoughtEnd
    if (from < 0) return false
    const text = this.#watching ? chunk : this.#text.from(from)
    this.#watching = true
    return this.#watch.push(text)
  }

  /** Reads what came so far. Seldom enough that all looks together cost no more than some readings of the whole. */
  #isOver(): boolean {
    // a forbidden forgiveness may still come
    if (this.#strict || this.#looked > FREE_LOOKS + this.#text.length) return false
    this.#looked += this.#text.length
    return isDecided(this.#text.join(), this.#grammar, this.#box)
  }

  end(finish: Finish = 'stop'): ReadReply {
    if (this.#reading) return this.#reading
    requireFinish(finish)
    const reply = this.#text.join()
    const how = this.#text.overflowed ? 'length' : finish
    const read = refuseInexact(assembleReply(reply, this.#grammar, this.#box, how), this.#strict, reply)
    const reading = withDeltas(read, rest(textsOf(read), this.#scanner.given(reply)))
    this.#reading = this.#text.overflowed ? cutShort(reading) : reading
    return this.#reading
  }
}

/** A reason that is not known may mean that the reply breaks off: to read it as whole would be a guess. */
function requireFinish(finish: Finish): void {
  if (FINISHES.includes(finish)) return
  throw new SaydoError('CONFIG', `The option finish is ${JSON.stringify(finish)}, which is no way for a reply to end.`, {
    hint: `Choose one of ${FINISHES.join(', ')}.`,
  })
}

/** What was not given out already. */
function rest(whole: Texts, given: Texts): readonly Delta[] {
  const deltas: Delta[] = []
  for (const channel of CHANNELS) {
    const [text, before] = [whole[channel], given[channel]]
    if (text.length > before.length && text.startsWith(before)) deltas.push({ channel, text: text.slice(before.length) })
  }
  return deltas
}

const BEYOND: Problem = {
  code: 'TRUNCATED',
  message: 'The reply is longer than 1 MiB; what goes beyond was not read.',
  span: [MAX_REPLY, MAX_REPLY],
  cost: 0,
}
const FREE_LOOKS = 32_768
const NOTHING: readonly Delta[] = []
