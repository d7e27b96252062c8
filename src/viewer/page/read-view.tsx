// What was read of a reply → its parts, each linked with its place in the raw text, and the problems that were met, explained.
import type { JsonValue } from '../../core/json.js'
import type { Decision, Problem } from '../../core/reply.js'
import type { ToolCall } from '../../core/tool.js'
import type { PageData } from '../page-data.js'
import type { TraceTurn } from '../trace.js'
import type { ComponentChildren } from './preact.js'
import { LongText, Text } from './text-view.js'

interface ReadViewProps {
  readonly turn: TraceTurn
  readonly explained: PageData['explained']
  readonly id: string
  readonly lit: ReadonlySet<string>
}

export function ReadView({ turn, explained, id, lit }: ReadViewProps) {
  const { parsed, reply } = turn
  if (parsed === undefined) return <p class="quiet">{reply ? 'It was not read.' : 'No reply came.'}</p>
  return (
    <>
      <dl class="reading">
        {parsed.thought !== null && (
          <Row name="Thought" field="thought" lit={lit}>
            <Text text={parsed.thought} />
          </Row>
        )}
        <DecisionRows decision={parsed.decision} lit={lit} />
      </dl>
      {parsed.problems.length > 0 && (
        <ol class="problems">
          {parsed.problems.map((problem, at) => (
            <ProblemItem
              key={at}
              problem={problem}
              at={at}
              fate={fateOf(turn, problem)}
              explained={explained}
              id={id}
              lit={lit}
            />
          ))}
        </ol>
      )}
    </>
  )
}

function DecisionRows({ decision, lit }: { readonly decision: Decision; readonly lit: ReadonlySet<string> }) {
  switch (decision.kind) {
    case 'answer':
      return (
        <Row name="Answer" field="answer" lit={lit}>
          <Text text={decision.text} />
        </Row>
      )
    case 'unclear':
      return (
        <>
          <Row name="No decision">
            <span class="trouble">{decision.problem.code}</span> <Text text={decision.problem.message} />
          </Row>
          {decision.attempted && (
            <Row name="Meant">
              <code>
                <Text text={decision.attempted.tool} />
              </code>{' '}
              <LongText text={decision.attempted.input} />
            </Row>
          )}
        </>
      )
    case 'act':
      return (
        <>
          {decision.calls.map((call, at) => (
            <CallRows key={call.id} call={call} number={at + 1} lit={lit} />
          ))}
        </>
      )
  }
}

function CallRows({
  call,
  number,
  lit,
}: {
  readonly call: ToolCall
  readonly number: number
  readonly lit: ReadonlySet<string>
}) {
  const entries = Object.entries(call.input)
  return (
    <>
      <Row name="Tool" field={`tool ${number}`} lit={lit}>
        <strong>
          <Text text={call.tool} />
        </strong>
        {entries.length === 0 && <span class="quiet"> without input</span>}
      </Row>
      {entries.map(([key, value]) => (
        <Row key={key} name={key} field={`input ${number} ${key}`} lit={lit} parameter>
          <Value value={value} />
        </Row>
      ))}
    </>
  )
}

function Value({ value }: { readonly value: JsonValue }) {
  if (typeof value === 'string' && (value.includes('\n') || value.length > 200)) return <LongText text={value} />
  return (
    <code>
      <Text text={JSON.stringify(value)} />
    </code>
  )
}

interface RowProps {
  readonly name: string
  readonly field?: string
  readonly lit?: ReadonlySet<string>
  readonly parameter?: boolean
  readonly children: ComponentChildren
}

function Row({ name, field, lit, parameter, children }: RowProps) {
  const ref = field === undefined ? undefined : `f:${field}`
  return (
    <div class={`row${ref && lit?.has(ref) ? ' lit' : ''}`} data-refs={ref}>
      <dt class={parameter ? 'parameter' : ''}>
        <Text text={name} />
      </dt>
      <dd>{children}</dd>
    </div>
  )
}

interface ProblemItemProps {
  readonly problem: Problem
  readonly at: number
  readonly fate: string
  readonly explained: PageData['explained']
  readonly id: string
  readonly lit: ReadonlySet<string>
}

function ProblemItem({ problem, at, fate, explained, id, lit }: ProblemItemProps) {
  const { code, message, cost } = problem
  const entry = Object.hasOwn(explained, code) ? explained[code] : undefined
  return (
    <li class={lit.has(`p:${at}`) ? 'lit' : ''} data-refs={`p:${at}`}>
      <button
        type="button"
        class="note"
        id={`${id}-p${at}`}
        aria-label={`Problem ${at + 1}, show its place`}
        onClick={() => document.getElementById(`${id}-r${at}`)?.focus()}
      >
        {at + 1}
      </button>
      <div>
        <code class="code">{code}</code> <span class={`fate ${fate}`}>{fate}</span>
        {cost > 0 && <span class="quiet"> · cost {cost}</span>}
        <div>
          <Text text={message} />
        </div>
        {entry && (
          <details>
            <summary>{entry.title}</summary>
            <p>{entry.why}</p>
          </details>
        )}
      </div>
    </li>
  )
}

/** What became of the text that a problem is about. */
function fateOf({ parts = [] }: TraceTurn, { span }: Problem): string {
  const fates = parts.filter(({ start, end }) => start < span[1] && end > span[0]).map(({ fate }) => fate)
  return fates.includes('struck') ? 'struck' : fates.includes('moved') ? 'moved' : 'kept'
}
