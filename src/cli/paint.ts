// A stream → the colours to use on it. The only place that knows chalk.
import { Chalk, type ChalkInstance, type ColorSupportLevel, supportsColor, supportsColorStderr } from 'chalk'

export type Paint = ChalkInstance

/**
 * Colours for one of the two output streams. `--color`/`--no-color` wins, then a non-empty `NO_COLOR` turns them off, `FORCE_COLOR` on;
 * otherwise only a terminal gets them, as far as it can show them.
 */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  options: { readonly color?: unknown; readonly stderr?: boolean } = {},
): Paint {
  return new Chalk({ level: level(stream, env, options) })
}

function level(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  options: { readonly color?: unknown; readonly stderr?: boolean },
): ColorSupportLevel {
  const guess = options.stderr ? supportsColorStderr : supportsColor
  const able = guess === false ? 1 : guess.level
  if (options.color === false) return 0
  if (options.color === true) return able
  if (env.NO_COLOR) return 0
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0') return able
  return stream.isTTY ? able : 0
}
