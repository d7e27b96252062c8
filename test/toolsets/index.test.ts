import { describe, expect, it } from 'vitest'
import { ToolRegistry } from '../../src/tools/registry.js'
import { builtinNames, builtinTools, createBuiltins } from '../../src/toolsets/index.js'

const context = { signal: new AbortController().signal, callId: '1.1' }

describe('built-in tools', () => {
  it('stand in the table under their own names, with a line on each', () => {
    expect(createBuiltins(builtinNames).map(({ name }) => name)).toEqual(builtinNames)
    expect(new ToolRegistry(createBuiltins(builtinNames)).size).toBe(builtinNames.length)
    for (const { summary } of builtinTools.values()) expect(summary).toMatch(/^[^\n]+$/)
  })

  it('search and lookup of one set share the page, those of two sets do not', () => {
    const [search, lookup] = createBuiltins(['search', 'lookup'])
    const [other] = createBuiltins(['lookup'])
    search?.run({ query: 'Sela' } as never, context)
    expect(lookup?.run({ term: 'Salmon' } as never, context)).toMatch(/^\(Result 1 \/ 1\) Salmon/)
    expect(other?.run({ term: 'Salmon' } as never, context)).toBe('No page is open. Search for a page first.')
  })

  it.each(['serach', 'constructor', '__proto__'])('refuses %s and names what there is', name => {
    expect(() => createBuiltins([name])).toThrow(
      expect.objectContaining({
        code: 'CONFIG',
        message: expect.stringContaining(name),
        hint: expect.stringContaining(builtinNames.join(', ')),
      }),
    )
  })
})
