// The run at a glance → its task and answer, how it ended and what it took; a line of its turns, as long as each took; and where it went in circles.
import { timeOf, totalsOf } from '../compare.js'
import { runAsFixture, runAsMarkdown, shellWord, turnName } from '../exports.js'
import type { ShownRun } from '../page-data.js'
import { isRepaired, isTroubled } from '../search.js'
import type { Trace, TraceTurn } from '../trace.js'
import { CopyButton } from './copy-button.js'
import { stepHash } from './place.js'
import { steady } from './preact.js'
import { tokensOf } from './sent-view.js'
import { LongText, Text } from './text-view.js'
import { circleText } from './turn-view.js'
import { count, numberText, timeText } from './units.js'
import './run-head.css'

export const RunHead = steady(function RunHead({ trace, explained, record, turn, isPast }: ShownRun) {
  const { task, model, agent, dialect, run, tools, result, error, pending, notices } = trace
  const totals = totalsOf(trace)
  const stop = result?.stop ?? 'unfinished'
  const entry = Object.hasOwn(explained, stop) ? explained[stop] : undefined
  return (
    <header class="head">
      <p class="quiet">
        <Text text={`${agent} · ${dialect} · ${model} · run ${run}`} />
      </p>
      <h1>
        <Text text={task.length > 400 ? `${task.slice(0, 400)}…` : task} />
      </h1>
      {task.length > 400 && <LongText text={task} />}
      <ul class="figures" aria-label="The run in figures">
        <li class={`stop ${stop === 'final_answer' ? 'good' : 'bad'}`} title={entry?.title}>
          {stop === 'final_answer' ? '✓' : '!'} {stop}
        </li>
        <li>{count(totals.steps, 'step')}</li>
        <li>{count(totals.replies, 'reply', 'replies')}</li>
        <li>{count(totals.repairs, 'problem')}</li>
        {result && totals.tokens > 0 && (
          <li>
            {numberText(result.usage.promptTokens)} + {numberText(result.usage.completionTokens)} tokens
          </li>
        )}
        <li>{timeText(totals.ms)}</li>
        <li title={tools.map(({ name }) => name).join(', ')}>{count(tools.length, 'tool')}</li>
      </ul>
      {result?.answer !== undefined && (
        <section class={`outcome ${stop === 'final_answer' ? 'good' : 'bad'}`}>
          <h2>Answer</h2>
          <LongText text={result.answer} />
        </section>
      )}
      {result && stop !== 'final_answer' && (
        <section class="outcome bad">
          <h2>How it ended</h2>
          <p>
            <Text text={result.message} />
          </p>
          {entry && <p class="quiet">{entry.why}</p>}
        </section>
      )}
      {error && (
        <section class="outcome bad">
          <h2>
            <Text text={error.code} />
          </h2>
          <LongText text={error.message} />
          {error.hint !== undefined && (
            <p class="quiet">
              <Text text={error.hint} />
            </p>
          )}
        </section>
      )}
      {result === undefined && (
        <section class="outcome bad">
          <h2>The record breaks off</h2>
          <p>
            <Text text={pending ?? 'between two turns'} />
          </p>
        </section>
      )}
      <Lane trace={trace} among={turn} />
      <Circles trace={trace} among={turn} />
      {notices.length > 0 && (
        <ul class="notices">
          {notices.map(({ code, message }, at) => (
            <li key={at}>
              <code class="code">
                <Text text={code} />
              </code>{' '}
              <Text text={message} />
            </li>
          ))}
        </ul>
      )}
      <details class="take">
        <summary>Take along</summary>
        <div class="row-of-buttons">
          <CopyButton label="run as Markdown" text={() => runAsMarkdown(trace)} />
          <CopyButton label="run as fixture" text={() => runAsFixture(trace)} />
        </div>
        <div class="row-of-buttons">
          <CopyButton command label="command" text={() => `saydo trace ${shellWord(record)}`} />
          {canGoOn(trace) && !isPast && <CopyButton command label="command" text={() => `saydo resume ${shellWord(record)}`} />}
          <CopyButton command label="command" text={() => `saydo fixtures from ${shellWord(record)} --test`} />
        </div>
      </details>
    </header>
  )
})

/** It was cut short, and not by its own doing. */
function canGoOn({ result }: Trace): boolean {
  return result === undefined || result.stop === 'aborted' || result.stop === 'error'
}

/** More turns than this get no sign of their own: there is no room. */
const SIGNED = 80

interface PartProps {
  readonly trace: Trace
  /** Which run of a conversation it is. */
  readonly among: number | undefined
}

function Lane({ trace: { turns }, among }: PartProps) {
  const most = Math.max(1, ...turns.map(timeOf))
  const highest = Math.max(1, ...turns.map(({ prompt }) => (prompt ? tokensOf(prompt) : 0)))
  if (turns.length < 2) return null
  const signs = turns.length <= SIGNED
  return (
    <nav class="lane" aria-label="Turns, as wide as their time">
      {turns.map((turn, at) => (
        <a
          key={at}
          href={stepHash(turn, among)}
          style={{ flexGrow: Math.max(timeOf(turn) / most, 0.08) }}
          title={laneText(turn)}
          aria-label={laneText(turn)}
          class={isTroubled(turn) ? 'error' : isRepaired(turn) ? 'repair' : ''}
        >
          <span
            class="tokens"
            style={{ height: `${Math.round((28 * (turn.prompt ? tokensOf(turn.prompt) : 0)) / highest)}px` }}
          />
          <span class="time">
            <span class="model" style={{ flexGrow: turn.ms ?? 0 }} />
            <span class="tool" style={{ flexGrow: timeOf(turn) - (turn.ms ?? 0) }} />
          </span>
          {signs && <span class="sign">{turn.circle ? '↺' : isTroubled(turn) ? '!' : isRepaired(turn) ? '~' : ' '}</span>}
        </a>
      ))}
    </nav>
  )
}

function laneText(turn: TraceTurn): string {
  const { ms = 0, prompt, circle } = turn
  const problems = turn.parsed?.problems.length ?? 0
  return [
    `Step ${turnName(turn)}`,
    `model ${timeText(ms)}`,
    `tools ${timeText(timeOf(turn) - ms)}`,
    ...(prompt ? [`prompt about ${numberText(tokensOf(prompt))} tokens`] : []),
    ...(problems > 0 ? [count(problems, 'problem')] : []),
    ...(isTroubled(turn) ? ['trouble'] : []),
    ...(circle ? ['in circles'] : []),
  ].join(', ')
}

function Circles({ trace, among }: PartProps) {
  const found = trace.turns.filter(({ circle }) => circle)
  if (found.length === 0) return null
  return (
    <section class="circles" aria-label="Circles">
      {found.slice(0, 12).map(turn => (
        <p key={turnName(turn)}>
          ↺ <a href={stepHash(turn, among)}>step {turnName(turn)}</a> {circleText(trace, turn)}
        </p>
      ))}
      {found.length > 12 && <p class="quiet">and {found.length - 12} more</p>}
    </section>
  )
}
