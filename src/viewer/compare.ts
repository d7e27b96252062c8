// Two runs → side by side, turn by turn: aligned by which calls were made with what, whatever else was said; and where they first part.
import { callsKey } from '../agent/step-keys.js'
import type { RecordedTurn, Transcript } from '../transcript/transcript.js'
import { align } from './align.js'

/** What of a run is compared. */
export type Compared = Pick<Transcript, 'run' | 'task' | 'model' | 'turns'> & {
  readonly result?: Pick<NonNullable<Transcript['result']>, 'stop' | 'answer' | 'usage' | 'ms'>
}

export interface Row {
  /** Places of the turns. */
  readonly one?: number
  readonly other?: number
  /** `result`: the same was done, and something else came of it. `words`: only the words of the reply differ. */
  readonly differs: 'no' | 'words' | 'result' | 'turn'
}

export interface Totals {
  readonly steps: number
  readonly replies: number
  readonly repairs: number
  /** Sum of prompt and completion; 0 when the endpoint counted none. */
  readonly tokens: number
  readonly ms: number
}

export interface Comparison {
  readonly rows: readonly Row[]
  /** The first row in which something else was done or came of it. */
  readonly divergence?: number
  readonly totals: readonly [Totals, Totals]
}

export function compareRuns(one: Compared, other: Compared): Comparison {
  const rows = align(one.turns, other.turns, isSameTurn).map(([a, b]): Row => {
    const [left, right] = [a === undefined ? undefined : one.turns[a], b === undefined ? undefined : other.turns[b]]
    return {
      ...(a === undefined ? {} : { one: a }),
      ...(b === undefined ? {} : { other: b }),
      differs: left && right ? differenceOf(left, right) : 'turn',
    }
  })
  const divergence = rows.findIndex(({ differs }) => differs === 'turn' || differs === 'result')
  return { rows, ...(divergence < 0 ? {} : { divergence }), totals: [totalsOf(one), totalsOf(other)] }
}

export function totalsOf({ turns, result }: Compared): Totals {
  const usage = result?.usage
  return {
    steps: new Set(turns.map(({ step }) => step)).size,
    replies: turns.filter(({ reply }) => reply).length,
    repairs: turns.reduce((sum, { parsed }) => sum + (parsed?.problems.length ?? 0), 0),
    tokens: usage ? usage.promptTokens + usage.completionTokens : 0,
    ms: result?.ms ?? turns.reduce((sum, turn) => sum + timeOf(turn), 0),
  }
}

/** In ms: of the reply and of the calls. */
export function timeOf({ ms = 0, calls }: RecordedTurn): number {
  return calls.reduce((sum, { observation }) => sum + (observation?.ms ?? 0), ms)
}

/** One line on what a reply came to. */
export function doneIn({ parsed, reply, failures }: RecordedTurn): string {
  if (parsed === undefined) return reply ? 'not read' : (failures.at(-1)?.message ?? 'no reply')
  const { decision } = parsed
  if (decision.kind === 'answer') return `answer: ${decision.text}`
  if (decision.kind === 'unclear') return `unclear: ${decision.problem.code}`
  return decision.calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`).join('\n')
}

function isSameTurn(a: RecordedTurn | undefined, b: RecordedTurn | undefined): boolean {
  return a !== undefined && b !== undefined && keyOf(a) === keyOf(b)
}

const keys = new WeakMap<RecordedTurn, string>()

function keyOf(turn: RecordedTurn): string {
  const known = keys.get(turn)
  if (known !== undefined) return known
  const decision = turn.parsed?.decision
  const key =
    decision?.kind === 'act' ? callsKey(decision.calls) : decision?.kind === 'unclear' ? doneIn(turn) : (decision?.kind ?? 'none')
  keys.set(turn, key)
  return key
}

function differenceOf(a: RecordedTurn, b: RecordedTurn): Row['differs'] {
  const came = (turn: RecordedTurn) =>
    JSON.stringify([
      turn.parsed?.decision.kind === 'answer' ? turn.parsed.decision.text : '',
      turn.calls.map(({ observation }) => observation?.text),
    ])
  if (came(a) !== came(b)) return 'result'
  return a.reply?.text === b.reply?.text ? 'no' : 'words'
}
