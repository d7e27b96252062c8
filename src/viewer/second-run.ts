// The text of a file that somebody holds beside a run → the run in it: a record, what `saydo run --jsonl` or `saydo trace --json` prints, or a page.
import type { AgentEvent } from '../core/event.js'
import { transcriptOf } from '../transcript/transcript.js'
import type { Compared } from './compare.js'

/** Where a page holds its run. */
export const DATA_ID = 'trace'

/** Throws an Error that says what is wanted. */
export function readSecondRun(text: string): Compared {
  try {
    return isPage(text) ? fromPage(text) : text.trimStart().startsWith('{\n') ? fromJson(text) : fromLines(text)
  } catch {
    throw new Error('this is no run: a record (.jsonl) or a page of saydo trace --html is wanted')
  }
}

function isPage(text: string): boolean {
  return /^\s{0,100}<!doctype html>/i.test(text)
}

function fromPage(text: string): Compared {
  const mark = `<script type="application/json" id="${DATA_ID}">`
  const start = text.indexOf(mark) + mark.length
  const { trace } = JSON.parse(text.slice(start, text.indexOf('</script>', start))) as { readonly trace: Compared }
  return checked(trace)
}

function fromJson(text: string): Compared {
  return checked(JSON.parse(text) as Compared)
}

/** What was sent is not compared, and is the most of a record. */
function fromLines(text: string): Compared {
  const events = text
    .split('\n')
    .filter(line => line.trim() !== '' && !line.includes('"type":"prompt"'))
    .map((line, at, lines) => {
      try {
        return JSON.parse(line) as AgentEvent
      } catch (error) {
        // a line that was being written
        if (at === lines.length - 1) return undefined
        throw error
      }
    })
    .filter(event => event !== undefined)
  const last = events.findLastIndex(({ type }) => type === 'run_start')
  return checked(transcriptOf(events.slice(Math.max(0, last))))
}

function checked(run: Compared): Compared {
  if (!Array.isArray(run.turns) || typeof run.task !== 'string') throw new Error('no run')
  return run
}
