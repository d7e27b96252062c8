// One reply of the model → the raw text beside what was read, what came of it, what had been sent, and what may be taken along.
import { shellWord, stepAsFixture, turnAsExample, turnAsMarkdown, turnName } from '../exports.js'
import type { ShownRun } from '../page-data.js'
import { isTroubled } from '../search.js'
import type { Trace, TraceTurn } from '../trace.js'
import { CopyButton } from './copy-button.js'
import { stepHash } from './place.js'
import { steady, useMemo, useState } from './preact.js'
import { ReadView } from './read-view.js'
import { ReplyView } from './reply-view.js'
import { SentView } from './sent-view.js'
import { LongText, Text } from './text-view.js'
import { count, numberText, timeText } from './units.js'
import { useNear } from './use-near.js'
import './turn-view.css'

interface TurnViewProps extends ShownRun {
  readonly at: number
  readonly selected: boolean
  /** Draw all of it, seen or not. */
  readonly drawn: boolean
}

export const TurnView = steady(function TurnView({ selected, drawn, ...data }: TurnViewProps) {
  const { trace, at } = data
  const turn = trace.turns[at] as TraceTurn
  const id = `t${at}`
  const [ref, near] = useNear()
  const shown = near || selected || drawn
  return (
    <article id={id} ref={ref} class={`turn${selected ? ' selected' : ''}`} tabIndex={-1} aria-labelledby={`${id}-name`}>
      <header>
        <h2 id={`${id}-name`}>
          <span class="number">{turnName(turn)}</span> <Text text={titleOf(turn)} />
        </h2>
        <Badges turn={turn} />
        <Facts turn={turn} />
      </header>
      {shown ? <Body {...data} of={turn} id={id} /> : <div style={{ height: `${guessHeight(turn)}px` }} />}
    </article>
  )
})

function titleOf({ parsed, reply }: TraceTurn): string {
  const decision = parsed?.decision
  if (decision?.kind === 'act') return [...new Set(decision.calls.map(({ tool }) => tool))].join(', ')
  if (decision?.kind === 'answer') return 'answer'
  return decision ? 'no decision' : reply ? 'not read' : 'no reply'
}

function Badges({ turn }: { readonly turn: TraceTurn }) {
  const repairs = turn.parsed?.decision.kind === 'unclear' ? 0 : (turn.parsed?.problems.length ?? 0)
  return (
    <span class="badges">
      {repairs > 0 && <span class="badge repair">~ {count(repairs, 'repair')}</span>}
      {isTroubled(turn) && (
        <span class="badge error">
          ! <Text text={troubleOf(turn)} />
        </span>
      )}
      {turn.circle && <span class="badge circle">↺ circle</span>}
    </span>
  )
}

function troubleOf({ parsed, failures, calls, circle, reply }: TraceTurn): string {
  if (parsed?.decision.kind === 'unclear') return parsed.decision.problem.code
  const failed = calls.find(({ observation }) => observation?.failure)?.observation?.failure?.code
  if (failed) return failed
  const [failure] = failures
  if (failure) return failure.code
  return circle ? 'circle' : reply ? 'outcome unknown' : 'no reply'
}

function Facts({ turn: { reply, ms } }: { readonly turn: TraceTurn }) {
  const usage = reply?.usage
  return (
    <span class="facts">
      {usage && `${numberText(usage.promptTokens)} + ${numberText(usage.completionTokens)} tokens`}
      {usage && ms !== undefined && ' · '}
      {ms !== undefined && timeText(ms)}
    </span>
  )
}

interface BodyProps extends ShownRun {
  readonly at: number
  readonly of: TraceTurn
  readonly id: string
}

function Body({ of: turn, id, ...data }: BodyProps) {
  const { trace, explained, at } = data
  const [lit, setLit] = useState<ReadonlySet<string>>(NONE)
  const light = (event: { readonly target: EventTarget | null }) => {
    const refs = event.target instanceof Element ? event.target.closest('[data-refs]')?.getAttribute('data-refs') : null
    if (refs || lit.size > 0) setLit(refs ? new Set(refs.split('|')) : NONE)
  }
  const { situation, tools, failures, reply, nudge, circle, notices } = turn
  return (
    <>
      {tools && <Remark kind="notice" title="The tools are now" text={tools.map(({ name }) => name).join(', ') || 'none'} />}
      {situation !== undefined && <Remark kind="situation" title="Situation" text={situation} />}
      {failures.map((failure, index) => (
        <Remark key={index} kind="error" title={`The endpoint failed: ${failure.code}`} text={failure.message} />
      ))}
      {reply?.reasoning && (
        <details class="reasoning">
          <summary>Reasoning</summary>
          <LongText text={reply.reasoning} />
        </details>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only lights up what belongs together */}
      {/* biome-ignore lint/a11y/useKeyWithMouseEvents: focus does the same */}
      <div class="pair" onMouseOver={light} onMouseLeave={() => setLit(NONE)} onFocusIn={light} onFocusOut={() => setLit(NONE)}>
        <section class="half" aria-label="Raw reply">
          <h3>Raw reply</h3>
          {reply ? <ReplyView turn={turn} id={id} lit={lit} /> : <p class="quiet">No reply came.</p>}
          {reply && reply.finish !== 'stop' && <p class="trouble">! It ended by: {reply.finish}</p>}
        </section>
        <section class="half" aria-label="What was read">
          <h3>What was read</h3>
          <ReadView turn={turn} explained={explained} id={id} lit={lit} />
        </section>
      </div>
      <Calls turn={turn} explained={explained} />
      {circle && <Remark kind="circle" title="↺ In circles" text={circleText(trace, turn)} />}
      {nudge !== undefined && <Remark kind="nudge" title="The model was told" text={nudge} />}
      {notices.map((notice, index) => (
        <Remark key={index} kind="notice" title={notice.code} text={notice.message} />
      ))}
      <SentView turns={trace.turns} at={at} />
      <TakeAlong {...data} of={turn} />
    </>
  )
}

const NONE: ReadonlySet<string> = new Set()

function Calls({ turn, explained }: { readonly turn: TraceTurn; readonly explained: ShownRun['explained'] }) {
  return (
    <>
      {turn.calls.map(({ call, begun, approval, observation }, at) => {
        const failure = observation?.failure
        const entry = failure && Object.hasOwn(explained, failure.code) ? explained[failure.code] : undefined
        return (
          <section key={at} class={`remark observation${failure ? ' error' : ''}`}>
            <h3>
              <Text text={turn.calls.length > 1 ? `Observation of ${observation?.tool ?? call?.tool}` : 'Observation'} />
              {failure && <span class="trouble"> ! {failure.code}</span>}
              {approval && <span class="quiet"> · {approval.verdict}</span>}
              {observation && (
                <span class="quiet">
                  {' '}
                  · {timeText(observation.ms)}
                  {observation.truncated > 0 && ` · ${numberText(observation.truncated)} characters left out`}
                </span>
              )}
            </h3>
            {approval?.verdict === 'changed' && call && (
              <p>
                Made with{' '}
                <code>
                  <Text text={JSON.stringify(call.input)} />
                </code>
              </p>
            )}
            {approval?.reason !== undefined && (
              <p>
                <Text text={approval.reason} />
              </p>
            )}
            {entry && <p class="quiet">{entry.title}</p>}
            {observation ? (
              <LongText text={observation.text} />
            ) : (
              <p class="trouble">{begun ? 'It was called, and the outcome is unknown.' : 'It was not called.'}</p>
            )}
          </section>
        )
      })}
    </>
  )
}

function Remark({ kind, title, text }: { readonly kind: string; readonly title: string; readonly text: string }) {
  return (
    <section class={`remark ${kind}`}>
      <h3>
        <Text text={title} />
      </h3>
      <LongText text={text} />
    </section>
  )
}

export function circleText({ turns }: Trace, { circle }: TraceTurn): string {
  if (circle === undefined) return ''
  const steps = circle.as.flatMap(at => turns[at] ?? []).map(turnName)
  return `The same ${circle.same} as in ${steps.length === 1 ? 'step' : 'steps'} ${steps.join(', ')}: ${DONE[circle.done]}.`
}

const DONE = { told: 'the model was told', 'not made': 'the call was not made again', ended: 'the run was ended' }

function TakeAlong({ trace, of: turn, record, turn: among, isPast }: ShownRun & { readonly of: TraceTurn }) {
  const example = useMemo(() => turnAsExample(turn), [turn])
  const name = turnName(turn)
  const run = `${shellWord(record)}${among === undefined ? '' : ` --turn ${among}`}`
  return (
    <details class="take">
      <summary>Take along</summary>
      <div class="row-of-buttons">
        <CopyButton label="Markdown" text={() => turnAsMarkdown(turn)} />
        <CopyButton label="fixture step" text={() => stepAsFixture(trace, turn)} />
        {example !== undefined && <CopyButton label="example" text={() => example} />}
        {turn.reply && <CopyButton label="raw reply" text={() => turn.reply?.text ?? ''} />}
        <CopyButton label="link" text={() => `${location.href.split('#')[0]}${stepHash(turn, among)}`} />
      </div>
      <div class="row-of-buttons">
        <CopyButton command label="command" text={() => `saydo trace ${run} --step ${name}`} />
        <CopyButton command label="command" text={() => `saydo trace ${run} --step ${name} --raw | saydo parse --explain`} />
        <CopyButton command label="command" text={() => `saydo trace ${run} --diff ${name}`} />
        {!isPast && <CopyButton command label="command" text={() => `saydo resume ${shellWord(record)} --from ${turn.step}`} />}
      </div>
    </details>
  )
}

/** Near enough that the page does not jump. */
function guessHeight({ reply, calls, nudge }: TraceTurn): number {
  const lines = (text = '') => Math.min(60, 1 + text.length / 90 + (text.slice(0, 4_000).match(/\n/g)?.length ?? 0))
  const below =
    calls.reduce((sum, { observation }) => sum + lines(observation?.text) + 2, 0) + (nudge === undefined ? 0 : lines(nudge) + 2)
  return Math.round(120 + 22 * (Math.max(4, lines(reply?.text)) + below))
}
