import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculate, calculatorTool } from '../../src/toolsets/calculator.js'
import { callOne } from '../tools/call-one.js'

describe('calculate', () => {
  it.each([
    ['0.1 + 0.2', '0.3'],
    ['17 * 23', '391'],
    ['2 ^ 10', '1024'],
    ['2 ** 10', '1024'],
    ['2 ^ 3 ^ 2', '512'],
    ['-2 ^ 2', '-4'],
    ['2 ^ -1', '0.5'],
    ['(1 + 2) * (3 + 4)', '21'],
    ['10 % 3', '1'],
    ['7 / 2', '3.5'],
    ['1 / 3', '0.333333333333'],
    ['2 / 3 * 3', '2'],
    ['0.1 * 3 * 10', '3'],
    ['5!', '120'],
    ['3! + 1', '7'],
    ['0 * -1', '0'],
    ['1e3 + .5', '1000.5'],
    ['1_000_000 / 2', '500000'],
    // integers are exact as far as a number can hold them
    ['123456789012345 * 2', '246913578024690'],
    ['94906265 ^ 2', '9007199136250225'],
    ['2 ^ 64', '1.84467440737e+19'],
    ['170! / 169!', '170'],
    ['1 / 3e20', '3.33333333333e-21'],
    // other people's signs
    ['6 × 7', '42'],
    ['8 ÷ 2', '4'],
    ['5 − 3', '2'],
    ['（１＋２）×３', '9'],
    ['3²', '9'],
    ['√16 + √(9)', '7'],
    ['2 * π', '6.28318530718'],
    ['17 x 23', '391'],
    ['2 + 2 =', '4'],
    ['2 + 2 = ?', '4'],
    ['= 2 + 2', '4'],
    ['15% of 80', '12'],
    ['Math.sqrt(16)', '4'],
    ['SQRT(16)', '4'],
    // commas
    ['1,234 + 5', '1239'],
    ['1,234,567 * 2', '2469134'],
    ['(1,234.5 + 1) * 2', '2471'],
    ['max(1,234)', '234'],
    ['max(100,200)', '200'],
    ['max(1, 234)', '234'],
    ['max((1,234), 5)', '1234'],
    ['min(3, 1, 2)', '1'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-3'],
    ['round(3.14159, 2)', '3.14'],
    ['round(1.005, 2)', '1.01'],
    ['floor(0.1 * 3 * 10)', '3'],
    ['sum(1, 2, 3) / 3', '2'],
    ['mean(2, 4)', '3'],
    ['pow(2, 8)', '256'],
    ['mod(10, 4)', '2'],
    ['hypot(3, 4)', '5'],
    ['ln(e)', '1'],
    ['log10(1000)', '3'],
    ['sin(pi / 2)', '1'],
    [`${'('.repeat(499)}1${')'.repeat(499)}`, '1'],
    // comparisons
    ['3 > 2', 'true'],
    ['0.1 + 0.2 == 0.3', 'true'],
    ['2 <= 1', 'false'],
  ])('%s is %s', async (expression, value) => {
    expect(await calculate(expression)).toBe(value)
  })

  it.each([
    // what could mean two things
    ['max(1,234, 5)', /which commas/],
    ['sum(1,234, 2,000)', /which commas/],
    ['sum(1,234,2,000)', /000 begins with a zero/],
    ['sqrt(1,234)', /sqrt takes 1 value, got 2/],
    ['round(1,234)', /0 to 12 digits/],
    ['3,5 + 1', /decimals with a point/],
    ['0,123', /begins with a zero/],
    ['1, 234', /comma is in the wrong place/],
    ['1,2345', /comma is in the wrong place/],
    ['1.234,567', /comma is in the wrong place/],
    ['1.234.567', /no operator/],
    ['1 234 + 5', /no operator between 1 and 234/],
    ['200 + 10%', /% is the remainder/],
    ['10% - 3', /% is the remainder/],
    ['-7 % 3', /negative numbers/],
    ['7 % (0 - 3)', /negative numbers/],
    ['log(100)', /ln\(…\).*log10/],
    ['3!!', /!!/],
    ['5 != 120', /no assignments/],
    ['3x4', /no operator before x4/],
    ['0x10', /no operator before x10/],
    ['3 > 2 > 1', /two values at a time/],
    ['2 pi', /no operator before pi/],
    ['2(3)', /no operator between 2 and the parenthesis/],
    ['(2)3', /no operator before 3/],
    ['sqrt 9 + 16', /sqrt needs parentheses/],
    ['9007199254740993 - 1', /more digits/],
    // what has no value
    ['1 / 0', /division by zero/],
    ['5 % 0', /division by zero/],
    ['0 / 0', /division by zero/],
    ['sqrt(-1)', /not a real number/],
    ['9 ^ 9 ^ 9', /too large/],
    ['171!', /too large/],
    ['2.5!', /whole number/],
    ['max()', /at least 1 value, got 0/],
    // what is no arithmetic
    ['', /no expression/],
    ['2 +', /not a complete expression/],
    ['(1 + 2', /not a complete expression/],
    ['1 + 2)', /not a complete expression/],
    ['x = 5', /no assignments/],
    ['f(x) = x', /f is not known|no assignments/],
    ['5 km * 3', /no operator before km/],
    ['$5 + $3', /"\$" cannot be read/],
    ['1; 2', /";" cannot be read/],
    ['[1, 2]', /"\[" cannot be read/],
    ['"a"', /no text/],
    ['a.b', /"\." cannot be read/],
    ['process.exit(1)', /"\." cannot be read/],
    ['constructor', /constructor is not known/],
    ['__proto__', /__proto__ is not known/],
    ['toString()', /toString is not known/],
    ['random()', /random is not known/],
    ['map(sqrt, 1)', /map is not known/],
    ['not 1', /not is not known/],
    ['1 and 2', /no operator before and/],
    ['1+'.repeat(600), /too long/],
  ])('refuses %s', async (expression, message) => {
    await expect(calculate(expression)).rejects.toThrow(message)
  })

  it('agrees with JavaScript on sums and products of integers', async () => {
    const term = fc.integer({ min: -999, max: 999 }).map(n => (n < 0 ? `(${n})` : String(n)))
    const expression = fc
      .array(fc.tuple(term, fc.constantFrom('+', '-', '*')), { minLength: 1, maxLength: 6 })
      .map(parts => `${parts.map(([n, op]) => `${n} ${op} `).join('')}1`)
    await fc.assert(
      fc.asyncProperty(expression, async text => {
        const value = Number(new Function(`return ${text}`)())
        expect(await calculate(text)).toBe(Number.isSafeInteger(value) ? String(value === 0 ? 0 : value) : expect.any(String))
      }),
      { seed: 1, numRuns: 200 },
    )
  })

  it('gives a number, true, false or an error with a sentence, whatever the text', async () => {
    const piece = fc.constantFrom(
      '1',
      '234',
      ',',
      ' ',
      '.',
      '(',
      ')',
      '+',
      '-',
      '*',
      '/',
      '^',
      '%',
      '!',
      'max',
      'sqrt',
      'pi',
      'x',
      '=',
      '<',
      'é',
      '"',
      '√',
      '²',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async pieces => {
        const text = pieces.join('')
        const value = await calculate(text).catch((error: unknown) => error)
        if (value instanceof Error) expect(value.message).not.toMatch(/undefined|parse error|is not a function|TEOF|NaN/)
        else expect(value).toMatch(/^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false)$/)
      }),
      { seed: 9, numRuns: 2000 },
    )
  })
})

describe('calculator', () => {
  const ask = (input: object) => callOne(calculatorTool(), input)

  it('is a tool with one parameter', async () => {
    expect((await ask({ expression: '6 * 7' })).text).toBe('42')
    expect((await ask({})).failure?.code).toBe('invalid_input')
  })

  it('tells the model what was wrong', async () => {
    expect((await ask({ expression: '1/0' })).failure).toEqual({ code: 'threw', message: 'calculator failed: division by zero' })
  })
})
