import { describe, expect, it } from 'vitest'
import type { Tool } from '../../src/core/tool.js'
import { tool } from '../../src/tools/define.js'
import { specOf, ToolRegistry } from '../../src/tools/registry.js'

const make = (name: string, description = name) => tool({ name, description, run: () => 1 })

describe('ToolRegistry', () => {
  it('keeps tools in the order of registration', () => {
    const registry = new ToolRegistry([make('b'), make('a')]).register(make('c'))
    expect(registry.list().map(({ name }) => name)).toEqual(['b', 'a', 'c'])
    expect(registry.size).toBe(3)
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'knows a tool named %s only when it was registered',
    name => {
      const registry = new ToolRegistry()
      expect(registry.get(name)).toBeUndefined()
      expect(registry.has(name)).toBe(false)
      registry.register(make(name))
      expect(registry.get(name)?.name).toBe(name)
      expect(registry.specs()).toHaveLength(1)
    },
  )

  it('refuses a second tool of the same name, unless told to override', () => {
    const registry = new ToolRegistry([make('a', 'first')])
    expect(() => registry.register(make('a', 'second'))).toThrow(/two tools named "a"/)
    expect(registry.get('a')?.description).toBe('first')
    registry.register(make('a', 'second'), { override: true })
    expect(registry.get('a')?.description).toBe('second')
    expect(registry.size).toBe(1)
  })

  it('refuses what is no tool', () => {
    expect(() => new ToolRegistry([{ name: 'x' } as Tool])).toThrow(/"x" cannot be used/)
    expect(() => new ToolRegistry([(() => 1) as unknown as Tool])).toThrow(/has no name/)
  })

  it('unregisters and says whether there was one', () => {
    const registry = new ToolRegistry([make('a')])
    expect(registry.unregister('a')).toBe(true)
    expect(registry.unregister('a')).toBe(false)
  })

  it.each([{}, 'search', 5, null])('is not made of %j', tools => {
    expect(() => new ToolRegistry(tools as never)).toThrow(expect.objectContaining({ code: 'CONFIG' }))
  })

  it('gives specs that survive JSON unchanged', () => {
    const full = tool({
      name: 'a',
      description: 'd',
      returns: 'r',
      effect: 'none',
      doubt: 0,
      timeoutMs: 5,
      confirm: true,
      run: () => 1,
    })
    const specs = new ToolRegistry([full]).specs()
    expect(JSON.parse(JSON.stringify(specs))).toEqual(specs)
    expect(specs).toEqual([{ name: 'a', description: 'd', parameters: full.parameters, returns: 'r', effect: 'none', doubt: 0 }])
    expect(specOf(make('b'))).toEqual({ name: 'b', description: 'b', parameters: make('b').parameters })
  })
})
