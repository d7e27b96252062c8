// `--strict CODE,CODE` → the codes, checked.
import { didYouMean } from '../core/near-names.js'
import { PROBLEM_CODES, type ProblemCode, UNCLEAR_CODES } from '../core/reply.js'
import type { OptionSpec } from './command.js'

export const STRICT_OPTION: OptionSpec = {
  flags: '--strict <codes>',
  description: 'forgivenesses that are not wanted, such as INPUT_REPAIRED,TOOL_NAME_FOLDED (saydo explain lists them)',
  parse: readCodes,
}

function readCodes(text: string): readonly ProblemCode[] {
  const names = text.split(',').map(name => name.trim().toUpperCase())
  for (const name of names) {
    if (!isCode(name)) throw new Error(`'${name}' is no problem code${didYouMean(name, PROBLEM_CODES)}`)
    if (UNCLEAR.has(name)) throw new Error(`${name} is no forgiveness: such a reply is asked about again in any case`)
  }
  return names.filter(isCode)
}

function isCode(name: string): name is ProblemCode {
  return (PROBLEM_CODES as readonly string[]).includes(name)
}

const UNCLEAR: ReadonlySet<string> = new Set(UNCLEAR_CODES)
