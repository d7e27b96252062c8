// An arithmetic expression → its value to twelve digits, or an error the model can act on. Nothing of it is ever run as code.
// The door of expr-eval-fork, which is loaded with the first calculation.
import type { Tool } from '../core/tool.js'
import { tool } from '../tools/define.js'
import { readArithmetic } from './arithmetic-text.js'

const DIGITS = 12

type Maths = (...args: number[]) => number

const one = (name: string, maths: (x: number) => number): [string, Maths] => [name, args(name, 1, 1, maths)]

/** All the functions there are; angles in radians. */
const FUNCTIONS: ReadonlyMap<string, Maths> = new Map<string, Maths>([
  one('sqrt', Math.sqrt),
  one('cbrt', Math.cbrt),
  one('abs', Math.abs),
  one('floor', x => Math.floor(tidy(x))),
  one('ceil', x => Math.ceil(tidy(x))),
  one('trunc', x => Math.trunc(tidy(x))),
  ['round', args('round', 1, 2, roundTo)],
  ['min', args('min', 1, Infinity, Math.min)],
  ['max', args('max', 1, Infinity, Math.max)],
  ['sum', args('sum', 1, Infinity, sum)],
  ['mean', args('mean', 1, Infinity, (...values) => sum(...values) / values.length)],
  ['pow', args('pow', 2, 2, (base, exponent) => base ** exponent)],
  ['hypot', args('hypot', 1, Infinity, Math.hypot)],
  ['mod', args('mod', 2, 2, remainder)],
  one('exp', Math.exp),
  one('ln', Math.log),
  one('log2', Math.log2),
  one('log10', Math.log10),
  one('sin', Math.sin),
  one('cos', Math.cos),
  one('tan', Math.tan),
  one('asin', Math.asin),
  one('acos', Math.acos),
  one('atan', Math.atan),
])

// compared as they would be shown, so that 0.1 + 0.2 == 0.3 is true
const COMPARISONS = {
  '==': (a: number, b: number) => shown(a) === shown(b),
  '<': (a: number, b: number) => shown(a) < shown(b),
  '>': (a: number, b: number) => shown(a) > shown(b),
  '<=': (a: number, b: number) => shown(a) <= shown(b),
  '>=': (a: number, b: number) => shown(a) >= shown(b),
}

const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
])

const names = { functions: new Set(FUNCTIONS.keys()), constants: new Set(CONSTANTS.keys()) }

/** The tool `calculator(expression)`. */
export function calculatorTool(): Tool {
  return tool({
    name: 'calculator',
    description: `Calculates one arithmetic expression. Operators: + - * / ^ (power) % (remainder) ! (factorial). Functions: ${[...FUNCTIONS.keys()].join(', ')}. Constants: pi, e.`,
    returns: 'The value as a number.',
    effect: 'none',
    input: {
      type: 'object',
      properties: {
        expression: { type: 'string', description: 'Numbers and operators only, without units and thousands separators.' },
      },
      required: ['expression'],
      additionalProperties: false,
    },
    run: ({ expression }: { expression: string }) => calculate(expression),
  })
}

/**
 * Integers up to 2^53 are exact, everything else has twelve significant digits.
 *
 * @throws Error with a sentence for the model: what cannot be read, a division by zero, a result that is no real number or too large
 */
export async function calculate(expression: string): Promise<string> {
  const plain = readArithmetic(expression, names)
  const parser = await loadParser()
  const value: unknown = parser.parse(plain).evaluate()
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number' || Number.isNaN(value)) throw new Error('the result is not a real number')
  if (!Number.isFinite(value)) throw new Error('the result is too large')
  return numberText(value)
}

async function loadParser() {
  const { Parser } = await import('expr-eval-fork')
  const parser = new Parser({
    allowMemberAccess: false,
    operators: { assignment: false, fndef: false, logical: false, in: false, concatenate: false },
  })
  // only what stands in our own tables exists
  parser.functions = Object.fromEntries(FUNCTIONS)
  parser.consts = Object.fromEntries(CONSTANTS)
  const { '-': minus, '+': plus } = parser.unaryOps
  parser.unaryOps = Object.assign(Object.create(null), { '-': minus, '+': plus, '!': factorial })
  const operators = (parser as unknown as { binaryOps: Record<string, unknown> }).binaryOps
  Object.assign(operators, { '/': divide, '%': remainder, ...COMPARISONS })
  return {
    parse(text: string) {
      try {
        return parser.parse(text)
      } catch (cause) {
        throw new Error(`${JSON.stringify(text)} is not a complete expression`, { cause })
      }
    },
  }
}

function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value)
  const rounded = value.toPrecision(DIGITS)
  // beyond 2^53 digits would be invented: the exponent says that it is rounded
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? rounded.replace(/(?:\.|(?<!0))0{1,32}e/, 'e') : String(Number(rounded))
}

function shown(value: number): number {
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(DIGITS))
}

function divide(a = Number.NaN, b = Number.NaN): number {
  if (b === 0) throw new Error('division by zero')
  return a / b
}

function remainder(a = Number.NaN, b = Number.NaN): number {
  if (b === 0) throw new Error('division by zero')
  if (a < 0 || b < 0) throw new Error('the remainder of negative numbers can mean two things: write a - b * floor(a / b)')
  return a % b
}

function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0) throw new Error('a factorial needs a whole number that is not negative')
  if (n > 170) return Number.POSITIVE_INFINITY
  let product = 1
  for (let factor = 2; factor <= n; factor++) product *= factor
  return product
}

// half away from zero, as people round
function roundTo(value = Number.NaN, digits = 0): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > 12) throw new Error('round(value, digits) takes 0 to 12 digits')
  const factor = 10 ** digits
  return (Math.sign(value) * Math.round(tidy(Math.abs(value) * factor))) / factor
}

function sum(...values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

// 0.1 * 3 * 10 is meant to be 3, also for floor and round
function tidy(value: number): number {
  return Number.isSafeInteger(value) || !Number.isFinite(value) ? value : Number(value.toPrecision(15))
}

function args(name: string, least: number, most: number, maths: Maths): Maths {
  return (...values) => {
    if (values.length >= least && values.length <= most) return maths(...values)
    const wanted = least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`
    throw new Error(
      `${name} takes ${wanted} value${/\b1$/.test(wanted) ? '' : 's'}, got ${values.length}; write numbers without thousands separators`,
    )
  }
}
