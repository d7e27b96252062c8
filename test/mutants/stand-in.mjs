// Vitest's describe, it and expect for tests that run within one process: they only collect the tests of whatever is evaluated next.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect'

/** → what test files import from vitest, and the tests that they declared, by names no two of which are the same. */
export function standIn() {
  const tests = new Map()
  const path = []
  const within = (name, body) => {
    path.push(name)
    body()
    path.pop()
  }
  const it = (name, ...rest) => {
    const full = [...path, name].join(' > ')
    let id = full
    for (let n = 2; tests.has(id); n++) id = `${full} #${n}`
    const body = rest.find(one => typeof one === 'function')
    tests.set(id, body)
  }
  const vitest = { describe: withRows(within), it: withRows(it), test: withRows(it), expect: chai.expect }
  return { vitest, within, tests }
}

/** A row's test is named after its place, since what stands in the row may be what a mutant changes. */
function withRows(declare) {
  const each = rows => (name, body, options) =>
    rows.forEach((row, index) => {
      const values = Array.isArray(row) ? row : [row]
      declare(`${name} [${index}]`, () => body(...values), options)
    })
  return Object.assign(declare, { each })
}

const recorded = new Map()

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)
chai.use((_, { addMethod }) => {
  addMethod(chai.Assertion.prototype, 'toMatchFileSnapshot', function (path) {
    const file = resolve(path)
    if (!recorded.has(file)) recorded.set(file, readFileSync(file, 'utf8'))
    new chai.Assertion(this._obj).toBe(recorded.get(file))
  })
})
