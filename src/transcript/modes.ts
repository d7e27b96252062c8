// What a test says about recording → what is played, what is asked for, and what is written, for the model and for the tools apart.
import { SaydoError } from '../core/errors.js'
import { didYouMean } from '../core/near-names.js'

/** See `ModeRules` for what each does. */
export type Mode = 'replay' | 'auto' | 'extend' | 'rewrite' | 'live' | 'continue'

export interface Modes {
  readonly model: Mode
  readonly tools: Mode
}

interface ModeRules {
  /** What is on record is played: all of it, what stands before a step, or nothing. */
  readonly plays: 'all' | 'before' | 'nothing'
  /** Beyond the record the run goes on for real. */
  readonly beyond: boolean
  /** A file that is missing is made. */
  readonly makes: boolean
  /** Where the run is written when it was another one: into the file, beside it for somebody to look at, or nowhere. */
  readonly writes: 'file' | 'beside' | 'nowhere'
}

export const MODES: Readonly<Record<Mode, ModeRules>> = {
  replay: { plays: 'all', beyond: false, makes: false, writes: 'nowhere' },
  auto: { plays: 'all', beyond: false, makes: true, writes: 'nowhere' },
  extend: { plays: 'all', beyond: true, makes: true, writes: 'file' },
  rewrite: { plays: 'nothing', beyond: true, makes: true, writes: 'beside' },
  live: { plays: 'nothing', beyond: true, makes: false, writes: 'nowhere' },
  continue: { plays: 'before', beyond: true, makes: false, writes: 'beside' },
}

export type Env = Readonly<Record<string, string | undefined>>

/**
 * `wanted` over `SAYDO_MODE` over `replay`: one word for both, or `model=live,tools=replay`. Where `CI` is set both are `replay`, unless
 * `SAYDO_RECORD_IN_CI` is. Throws `CONFIG` for a word that is none.
 */
export function modesOf(wanted: string | Partial<Modes> | undefined, env: Env): Modes {
  const modes = typeof wanted === 'object' ? checked(wanted) : readModes(wanted ?? env.SAYDO_MODE ?? '')
  const guarded = isSet(env.CI) && !isSet(env.SAYDO_RECORD_IN_CI)
  return guarded ? { model: 'replay', tools: 'replay' } : { model: modes.model ?? 'replay', tools: modes.tools ?? 'replay' }
}

function readModes(text: string): Partial<Modes> {
  const parts = text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
  const pairs = parts.flatMap(part => {
    const [name = '', mode] = part.split('=')
    return mode === undefined ? [['model', name] as const, ['tools', name] as const] : [[name, mode] as const]
  })
  const strange = pairs.find(([name]) => name !== 'model' && name !== 'tools')
  if (strange) throw new SaydoError('CONFIG', `there is no channel ${strange[0]}`, { hint: 'such as model=live,tools=replay' })
  return checked(Object.fromEntries(pairs))
}

function checked(modes: Readonly<Record<string, string>> | Partial<Modes>): Partial<Modes> {
  const words = Object.keys(MODES)
  const wrong = Object.values(modes).find(mode => !words.includes(mode))
  if (wrong !== undefined)
    throw new SaydoError('CONFIG', `there is no mode ${wrong}${didYouMean(wrong, words)}`, { hint: `one of ${words.join(', ')}` })
  return modes as Partial<Modes>
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false'
}
