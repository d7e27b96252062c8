// The run and a second one → their turns side by side, where they first part, and what the one took more than the other.
import { type Compared, compareRuns, doneIn, type Row, type Totals } from '../compare.js'
import { turnName } from '../exports.js'
import type { Trace, TraceTurn } from '../trace.js'
import { useMemo } from './preact.js'
import { Text } from './text-view.js'
import { numberText, timeText } from './units.js'
import './compare-view.css'

interface CompareViewProps {
  readonly trace: Trace
  readonly other: Compared
  readonly name: string
  readonly onClose: () => void
}

const CLASSES = { no: 'same', words: 'other-words', result: 'other-result', turn: 'only' }

const SIGNS: Readonly<Record<Row['differs'], readonly [sign: string, words: string]>> = {
  no: ['=', 'the same'],
  words: ['≈', 'the same in other words'],
  result: ['≠', 'the same, and something else came of it'],
  turn: ['±', 'only in one of them'],
}

export function CompareView({ trace, other, name, onClose }: CompareViewProps) {
  const { rows, divergence, totals } = useMemo(() => compareRuns(trace, other), [trace, other])
  return (
    <section class="compare" aria-label="Comparison" id="comparison" tabIndex={-1}>
      <header>
        <h2>
          Beside <Text text={name} />
        </h2>
        <span class="space" />
        {divergence !== undefined && (
          <button type="button" onClick={() => document.getElementById('divergence')?.scrollIntoView({ block: 'center' })}>
            First divergence
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </header>
      {trace.task !== other.task && (
        <p class="trouble">
          ! The other run has another task: <Text text={other.task.slice(0, 300)} />
        </p>
      )}
      <Deltas totals={totals} />
      {divergence === undefined && <p>Both did the same throughout.</p>}
      <table>
        <thead>
          <tr>
            <th scope="col">This run</th>
            <th scope="col">
              <span class="off-screen">How they differ</span>
            </th>
            <th scope="col">The other</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at} class={CLASSES[row.differs]} id={at === divergence ? 'divergence' : undefined}>
              <Side turn={row.one === undefined ? undefined : trace.turns[row.one]} linked />
              <td class="sign" title={SIGNS[row.differs][1]}>
                <span aria-hidden="true">{SIGNS[row.differs][0]}</span>
                <span class="off-screen">{SIGNS[row.differs][1]}</span>
              </td>
              <Side turn={row.other === undefined ? undefined : other.turns[row.other]} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const SHOWN = 300

function Side({
  turn,
  linked,
}: {
  readonly turn: Pick<TraceTurn, 'step' | 'attempt' | 'parsed' | 'reply' | 'failures' | 'calls'> | undefined
  readonly linked?: boolean
}) {
  if (turn === undefined) return <td class="quiet">—</td>
  const name = turnName(turn)
  const came = turn.calls.map(({ observation }) => observation?.text ?? '').join('\n')
  return (
    <td>
      {linked ? <a href={`#step=${name}`}>{name}</a> : <span class="number">{name}</span>}{' '}
      <code>
        <Text text={doneIn(turn as Parameters<typeof doneIn>[0]).slice(0, SHOWN)} />
      </code>
      {came !== '' && (
        <div class="quiet">
          → <Text text={came.slice(0, SHOWN)} />
        </div>
      )}
    </td>
  )
}

function Deltas({ totals: [one, other] }: { readonly totals: readonly [Totals, Totals] }) {
  const figures: readonly (readonly [string, (totals: Totals) => number, (value: number) => string])[] = [
    ['steps', ({ steps }) => steps, numberText],
    ['replies', ({ replies }) => replies, numberText],
    ['problems', ({ repairs }) => repairs, numberText],
    ['tokens', ({ tokens }) => tokens, numberText],
    ['time', ({ ms }) => ms, timeText],
  ]
  return (
    <ul class="figures">
      {figures.map(([name, of, write]) => {
        const delta = of(other) - of(one)
        return (
          <li key={name}>
            {name} {write(of(one))} → {write(of(other))}{' '}
            <span class="quiet">({delta === 0 ? 'the same' : `${delta > 0 ? '+' : '−'}${write(Math.abs(delta))}`})</span>
          </li>
        )
      })}
    </ul>
  )
}
