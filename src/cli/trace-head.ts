// What a part of a run is → the line above it. Such lines alone begin at the margin.
import type { Paint } from './paint.js'

const WIDTH = 80

export function headLine(title: string, facts: readonly string[], paint: Paint): string {
  const words = [title, ...facts].join(' · ')
  return paint.cyan(`── ${words} ${'─'.repeat(Math.max(2, WIDTH - 4 - words.length))}`)
}
