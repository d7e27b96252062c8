import { describe, expect, it } from 'vitest'
import { ToolRegistry } from '../../src/tools/registry.js'
import { BRIGHTWATER } from '../../src/toolsets/worlds/brightwater.js'
import { demoScript } from '../../src/toolsets/worlds/demo-script.js'
import { createWorldTools, WORLD_TASKS } from '../../src/toolsets/worlds/index.js'
import { World } from '../../src/toolsets/worlds/world.js'
import { callNamed } from '../tools/call-one.js'

describe('search', () => {
  it('gives the first four sentences of a page', () => {
    expect(new World().search('Sela')).toBe(
      'The Sela is the longest river of Brightwater, with a length of 143 kilometres. It rises on Mount Carrow, runs through Lake Veyle and reaches the Amber Sea at Tollen. Its largest tributary is the Wend, which joins it at Ostrey. Nine bridges cross the Sela.',
    )
  })

  it.each(['sela', ' SELA ', 'Séla', '"Sela"'])('finds %s whatever case, accents and quotes', query => {
    expect(new World().search(query)).toMatch(/^The Sela is/)
  })

  it('follows another name and says so', () => {
    expect(new World().search('River Sela')).toMatch(/^\(Redirected to Sela\) The Sela is/)
  })

  it.each<[string, string]>([
    ['Lake Veile', 'Could not find "Lake Veile". Similar: "Lake Veyle".'],
    ['the lighthouse near Tollen', 'Similar: "Candle Rock Lighthouse", "Tollen"'],
    ['Salt Hours', 'Similar: '],
    ['qqqq', 'Could not find "qqqq". No title is similar.'],
    ['', 'Could not find "". No title is similar.'],
  ])('%j names similar pages', (query, text) => {
    expect(new World().search(query)).toContain(text)
  })

  it('names at most five similar pages, and survives an endless query', () => {
    expect(new World().search(`Brightwater ${'river town '.repeat(10_000)}`).match(/"[^"]+"/g)?.length).toBeLessThanOrEqual(6)
  })
})

describe('lookup', () => {
  it('says that there is no page yet', () => {
    expect(new World().lookup('river')).toBe('No page is open. Search for a page first.')
  })

  it('goes from result to result, then says that there are no more', () => {
    const world = new World()
    world.search('Sela')
    expect(world.lookup('bridges')).toBe('(Result 1 / 2) Nine bridges cross the Sela.')
    expect(world.lookup('Bridges')).toBe('(Result 2 / 2) The longest of these bridges is the Long Span.')
    expect(world.lookup('bridges')).toBe('No more results.')
    expect(world.lookup('bridges')).toBe('No more results.')
  })

  it('begins anew with another word, and with another page', () => {
    const world = new World()
    world.search('Sela')
    world.lookup('bridges')
    expect(world.lookup('flood')).toMatch(/^\(Result 1 \/ 1\) In the flood/)
    expect(world.lookup('bridges')).toMatch(/^\(Result 1 \/ 2\)/)
    world.search('Tollen')
    expect(world.lookup('bridges')).toBe('No results for "bridges" in the page Tollen.')
    world.search('Sela')
    expect(world.lookup('bridges')).toMatch(/^\(Result 1 \/ 2\)/)
  })

  it('stays in the page when a search finds nothing', () => {
    const world = new World()
    world.search('Sela')
    world.search('nowhere')
    expect(world.lookup('Salmon')).toMatch(/^\(Result 1 \/ 1\)/)
  })

  it('wants a word', () => {
    const world = new World()
    world.search('Sela')
    expect(world.lookup('  ')).toBe('There is no word to look up.')
  })
})

describe('Brightwater', () => {
  it('has more than a dozen pages, each with more than a search shows', () => {
    expect(BRIGHTWATER.length).toBeGreaterThan(12)
    for (const { title, sentences } of BRIGHTWATER) expect([title, sentences.length > 4]).toEqual([title, true])
  })

  it('gives every name to one page only', () => {
    const names = BRIGHTWATER.flatMap(({ title, also = [] }) => [
      title,
      ...also.filter(name => name.toLowerCase() !== title.toLowerCase()),
    ])
    expect(new Set(names.map(name => name.toLowerCase())).size).toBe(names.length)
  })

  it('counts as many inhabitants in its towns as in the region', () => {
    const inhabitants = (title: string) => Number(/([\d,]+) inhabitants/.exec(new World().search(title))?.[1]?.replace(',', ''))
    const towns = ['Harrowmere', 'Tollen', 'Ostrey', 'Fennick'].map(inhabitants)
    expect(towns.reduce((sum, n) => sum + n, 0)).toBe(inhabitants('Brightwater'))
  })

  it('mentions no town, river or person without a page', () => {
    const names = new Set(BRIGHTWATER.flatMap(({ title, also = [] }) => [title, ...also]))
    for (const name of [
      'Harrowmere',
      'Tollen',
      'Ostrey',
      'Fennick',
      'Sela',
      'Wend',
      'Merrow',
      'Ida Marrell',
      'Joren Pell',
      'Tamsin Orde',
    ]) {
      expect(names).toContain(name)
    }
  })
})

describe('tasks', () => {
  it('are twelve, with different names and questions', () => {
    expect(WORLD_TASKS).toHaveLength(12)
    expect(new Set(WORLD_TASKS.map(({ id }) => id)).size).toBe(12)
    expect(new Set(WORLD_TASKS.map(({ question }) => question)).size).toBe(12)
  })

  it.each(WORLD_TASKS.map(task => [task.id, task] as const))('%s can be solved with the tools', async (_, task) => {
    const registry = new ToolRegistry(createWorldTools())
    for (const { tool, text, shows } of task.path) {
      const input = { [tool === 'search' ? 'query' : 'term']: text }
      const observation = await callNamed(tool, input, { registry })
      expect(observation.failure).toBeUndefined()
      expect(observation.text).toContain(shows)
    }
  })

  it.each(WORLD_TASKS.map(task => [task.id, task] as const))(
    'the answer of %s follows from what its path shows',
    (id, { answer, path }) => {
      const numbers = path.flatMap(({ shows }) => (shows.match(/\d[\d,]*/g) ?? []).map(n => Number(n.replaceAll(',', ''))))
      const [a = 0, b = 0] = numbers
      const follows: Record<string, string> = {
        'compare-heights': b > a ? 'Mount Carrow' : 'Mount Idle',
        difference: String(a - b),
        'yes-or-no': a < b ? 'yes' : 'no',
        'years-between': String(b - a),
        'smallest-of-four': path[1 + numbers.indexOf(Math.min(...numbers))]?.text ?? '',
      }
      if (id in follows) expect(follows[id]).toBe(answer)
      else expect(path.at(-1)?.shows.toLowerCase()).toContain(answer.replace(/^a /, '').toLowerCase())
    },
  )
})

describe('demo script', () => {
  it('plays a task of the world to its true answer', () => {
    const task = WORLD_TASKS.find(({ question }) => question === demoScript.task)
    expect(task?.answer).toBe(demoScript.answer)
    expect(demoScript.replies.at(-1)).toContain(demoScript.answer)
    expect(demoScript.replies.length).toBeLessThanOrEqual(8)
  })
})
