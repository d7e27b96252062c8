// The current moment → date, time, weekday and time zone, in ISO notation.
import type { Tool } from '../core/tool.js'
import { tool } from '../tools/define.js'

export interface ClockOptions {
  /** Default: the real time. */
  readonly now?: () => Date
  /** An IANA name such as `Europe/Oslo`; default: the machine's. */
  readonly timeZone?: string
}

/** The tool `clock()`. */
export function clockTool({ now = () => new Date(), timeZone = localZone() }: ClockOptions = {}): Tool {
  return tool({
    name: 'clock',
    description: 'Tells the current date, time and weekday.',
    returns: 'Date, time, weekday and time zone.',
    effect: 'none',
    repeatable: true,
    run: () => readClock(now(), timeZone),
  })
}

function readClock(moment: Date, timeZone: string) {
  // `sv` writes dates and times as ISO 8601 does
  const date = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(moment)
  const time = new Intl.DateTimeFormat('sv', { timeZone, timeStyle: 'medium' }).format(moment)
  const weekday = new Intl.DateTimeFormat('en', { timeZone, weekday: 'long' }).format(moment)
  return { date, time, weekday, timeZone }
}

function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
