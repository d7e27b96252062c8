import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../src/core/message.js'
import { type Change, changed, changesBetween } from '../../src/viewer/prompt-change.js'

const turns = (words: string): Message[] => words.split('').map(text => ({ role: 'user', text }))

function told(changes: readonly Change[]): string {
  return changes
    .map(change =>
      change.kind === 'add'
        ? `+${change.turns.map(({ text }) => text).join('')}`
        : `${change.kind === 'keep' ? '=' : '-'}${change.count}`,
    )
    .join(' ')
}

describe('what changes from one prompt to the next', () => {
  test.each([
    ['nothing', 'abc', 'abc', '=3'],
    ['a first prompt', '', 'ab', '+ab'],
    ['turns that are added', 'ab', 'abcd', '=2 +cd'],
    ['a correction that leaves', 'abxy', 'abcd', '=2 -2 +cd'],
    ['earlier steps that no longer fit', 'abcdef', 'abefgh', '=2 -2 =2 +gh'],
    ['a turn in the middle that is written anew', 'abcd', 'abXd', '=2 -1 +X =1'],
    ['turns that are said twice', 'aokyok', 'ayok', '=1 -2 =3'],
  ])('%s', (_, before, after, changes) => expect(told(changesBetween(turns(before), turns(after)))).toBe(changes))

  test('leads from any prompt to any other', () => {
    const prompt = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map(words => turns(words.join('')))
    fc.assert(
      fc.property(prompt, prompt, (before, after) => {
        expect(changed(before, changesBetween(before, after))).toEqual(after)
      }),
    )
  })

  test('is told also of prompts that are too long to compare turn by turn', () => {
    const long = (mark: string) => Array.from({ length: 2500 }, (_, at): Message => ({ role: 'user', text: `${mark}${at}` }))
    expect(changesBetween(long('a'), long('b')).map(({ kind }) => kind)).toEqual(['remove', 'add'])
  })
})
