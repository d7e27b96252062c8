// `--color` and `--no-color`, for what a command writes to one of its streams (see paint.ts).
import type { OptionSpec } from './command.js'

export function colourOptions(stream: 'stdout' | 'stderr'): readonly OptionSpec[] {
  return [
    { flags: '--color', description: `colours even where ${stream} is no terminal` },
    { flags: '--no-color', description: 'no colours (NO_COLOR does the same)' },
  ]
}
