// Results of servers → what a model reads.
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/json.js'
import { callResult, promptText, resourceText } from '../../../src/toolsets/mcp/result.js'

const save = async (bytes: Buffer, mimeType: string) => `/files/${bytes.length}.${mimeType.split('/')[1]}`
const text = (words: string) => ({ type: 'text', text: words })
const PNG = Buffer.alloc(2048).toString('base64')

describe('a result is read as', () => {
  test.each<[string, JsonObject, string]>([
    ['its texts, line by line', { content: [text('a'), text('b\nc')] }, 'a\nb\nc'],
    ['nothing, when there is nothing', { content: [] }, ''],
    [
      'a picture that is saved',
      { content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] },
      '[image/png, 2 kB, saved as /files/2048.png]',
    ],
    [
      'a sound of no kind that there is',
      { content: [{ type: 'audio', data: 'AAAA', mimeType: '../x' }] },
      '[application/octet-stream, 3 bytes, saved as /files/3.octet-stream]',
    ],
    [
      'a resource with its text',
      { content: [{ type: 'resource', resource: { uri: 'a://b', text: 'c' } }] },
      '[resource a://b]\nc',
    ],
    [
      'a resource that is saved',
      { content: [{ type: 'resource', resource: { uri: 'a://b', blob: 'AAAA', mimeType: 'a/b' } }] },
      '[resource a://b] [a/b, 3 bytes, saved as /files/3.b]',
    ],
    [
      'a link to a resource',
      { content: [{ type: 'resource_link', uri: 'a://b', name: 'c', description: 'd\ne' }] },
      '[resource a://b: c, d e]',
    ],
    ['its data', { structuredContent: { a: 1 } }, '{"a":1}'],
    ['its data once, where its text says the same', { content: [text('{ "a": 1 }')], structuredContent: { a: 1 } }, '{ "a": 1 }'],
    ['its text and its data', { content: [text('found')], structuredContent: { a: 1 } }, 'found\n{"a":1}'],
  ])('%s', async (_, result, expected) => {
    expect(await callResult(result, save)).toBe(expected)
  })

  test('a note where a file can’t be saved', async () => {
    const full = () => Promise.reject(new Error('the disk is full'))
    expect(await callResult({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }, full)).toBe(
      '[image/png, 2 kB, which could not be saved]',
    )
  })
})

describe('a result that says it failed', () => {
  test.each<[string, JsonObject, RegExp]>([
    [
      'fails the call with its text',
      { isError: true, content: [text('missing required parameter: owner')] },
      /^missing required parameter: owner$/,
    ],
    ['fails it with its data', { isError: true, structuredContent: { code: 7 } }, /^\{"code":7\}$/],
    ['fails it with words of ours', { isError: true, content: [] }, /the server says that it failed, and not why/],
  ])('%s', async (_, result, message) => {
    await expect(callResult(result, save)).rejects.toThrow(message)
  })
})

test('the contents of a resource, and the turns of a prompt', async () => {
  expect(
    await resourceText(
      {
        contents: [
          { uri: 'a://b', text: 'c' },
          { uri: 'a://d', text: 'e' },
        ],
      },
      save,
    ),
  ).toBe('[resource a://b]\nc\n[resource a://d]\ne')
  const messages = [
    { role: 'user', content: text('a') },
    { role: 'assistant', content: text('b') },
    { role: 'system', content: text('c') },
  ]
  expect(await promptText({ messages }, save)).toBe('[user] a\n[assistant] b\n[user] c')
  await expect(resourceText({}, save)).rejects.toThrow('the answer holds no contents')
})
