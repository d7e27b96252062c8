// The common file of MCP servers, as data → servers, or what is wrong with it.
import { describe, expect, test } from 'vitest'
import { mcpServersIn } from '../../../src/toolsets/mcp/server.js'

const env = { TOKEN: 'secret', HOST: 'example.com' }
const variable = (name: string) => `$\{${name}}`
const one = (spec: object) => mcpServersIn({ mcpServers: { files: spec } }, env)[0]

describe('a server is', () => {
  test.each([
    [
      'a command',
      { command: 'npx', args: ['-y', 'x'] },
      { kind: 'stdio', command: 'npx', args: ['-y', 'x'], env: {}, trust: false },
    ],
    [
      'a URL of whichever kind',
      { url: 'http://localhost:1/mcp' },
      { kind: 'either', url: 'http://localhost:1/mcp', headers: {} },
    ],
    ['one over HTTP', { type: 'http', url: 'http://localhost:1' }, { kind: 'http' }],
    ['one over HTTP, by its long name', { type: 'streamable-http', url: 'http://localhost:1' }, { kind: 'http' }],
    ['an older one', { type: 'sse', url: 'http://localhost:1' }, { kind: 'sse' }],
    ['one with keys that others know', { command: 'x', autoApprove: ['a'], timeout: 3 }, { kind: 'stdio', command: 'x' }],
    ['trusted when that is said', { command: 'x', trust: true }, { trust: true }],
    ['not trusted by a word', { command: 'x', trust: 'yes' }, { trust: false }],
  ])('%s', (_, spec, expected) => {
    expect(one(spec)).toMatchObject(expected)
  })

  test('told with variables of the environment', () => {
    const spec = {
      url: `https://${variable('HOST')}/${variable('env:PATH_OF_IT:-mcp')}`,
      headers: { Authorization: `Bearer ${variable('TOKEN')}` },
    }
    expect(one(spec)).toMatchObject({ url: 'https://example.com/mcp', headers: { Authorization: 'Bearer secret' } })
  })

  test('left out when it is disabled', () => {
    expect(mcpServersIn({ a: { command: 'x', disabled: true }, b: { command: 'y' } }, {}).map(({ name }) => name)).toEqual(['b'])
  })
})

describe('CONFIG says', () => {
  test.each([
    ['that there are none', {}, /there are no servers/],
    ['that it is no object', [], /the servers are no object/],
    ['which name can’t be one', { 'a b': { command: 'x' } }, /the name of a server is "a b"/],
    ['what a server lacks', { a: {} }, /the server a needs either a command or a url/],
    ['that it has too much', { a: { command: 'x', url: 'http://x' } }, /the server a needs either a command or a url/],
    ['which type there is not', { a: { type: 'websocket', url: 'http://x' } }, /the server a has the type "websocket"/],
    ['that a URL is none', { a: { url: 'localhost:1' } }, /the url of the server a is no http URL/],
    [
      'which variable is not set',
      { a: { command: variable('NOWHERE') } },
      /the server a names the variable NOWHERE, which is not set/,
    ],
    ['that arguments are no list', { a: { command: 'x', args: 'y' } }, /the args of the server a are no list of texts/],
    ['that the environment is no object', { a: { command: 'x', env: ['A=1'] } }, /env of the server a is no object/],
  ])('%s', (_, file, message) => {
    expect(() => mcpServersIn(file, {})).toThrow(message)
  })
})
