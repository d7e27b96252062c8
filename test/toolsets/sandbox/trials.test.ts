// What the sandbox is for, tried from inside: ways out, processes that stay, bombs. bench/sandbox.mjs does the same with more of each.
import { describe, expect, test } from 'vitest'
import { BACKENDS_HERE, WITHOUT_BWRAP } from '../../support/bwrap.js'
import { ESCAPES } from '../../support/sandbox-escapes.js'
import { dropBombs, endTrees, tryEscapes } from '../../support/sandbox-trials.js'

const CLOSED = BACKENDS_HERE.filter(backend => backend !== 'local')

describe.each(CLOSED)(`a sandbox of %s${WITHOUT_BWRAP}`, { timeout: 180_000 }, backend => {
  test('lets none of more than eighty ways out through', async () => {
    expect(await tryEscapes(backend)).toEqual({ tried: Object.keys(ESCAPES).length, through: [] })
    expect(Object.keys(ESCAPES).length).toBeGreaterThan(80)
  })

  test('leaves no process behind, however it ends, kill -9 of its parent included', async () => {
    expect(await endTrees(backend, 12)).toEqual({ trees: 12, survivors: [], left: [] })
  })

  test('contains what wants all processes, memory, disk, time, output or files', async () => {
    expect((await dropBombs(backend)).filter(({ contained }) => !contained)).toEqual([])
  })
})

test('the machine itself lets such ways through, so that trying them means something', { timeout: 60_000 }, async () => {
  const open = [
    'reading a file of the machine',
    'shared memory of the machine',
    'writing beside the workspace',
    'the loopback of the machine',
    'a hook of git',
  ]
  expect((await tryEscapes('local', open)).through).toEqual(expect.arrayContaining(open))
})

test('local leaves no process behind either, where there is /proc', { timeout: 60_000 }, async () => {
  const { survivors } = await endTrees('local', 6)
  expect(survivors).toEqual([])
})
