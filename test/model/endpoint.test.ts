import { describe, expect, it } from 'vitest'
import { redact, resolveEndpoint } from '../../src/model/endpoint.js'

describe('a base URL', () => {
  it.each([
    ['http://localhost:8080', 'http://localhost:8080/v1'],
    ['http://localhost:8080/', 'http://localhost:8080/v1'],
    ['localhost:11434', 'http://localhost:11434/v1'],
    ['127.0.0.1:8080/api', 'http://127.0.0.1:8080/api'],
    ['[::1]:8080', 'http://[::1]:8080/v1'],
    ['api.example.com', 'https://api.example.com/v1'],
    ['https://x.example/openai/v1/', 'https://x.example/openai/v1'],
    ['http://h:1/v1/chat/completions', 'http://h:1/v1'],
    ['http://h:1/v1/completions', 'http://h:1/v1'],
    ['  http://h:1/v1  ', 'http://h:1/v1'],
  ])('written %s is %s', (written, expected) => {
    expect(resolveEndpoint({ baseURL: written }, {}).baseURL).toBe(expected)
  })

  it('may hold a login, which travels as a header and is never shown', () => {
    const endpoint = resolveEndpoint({ baseURL: 'http://ann:s%40cret99@h:1/v1?api-version=2024-01' }, {})
    expect(endpoint).toMatchObject({
      baseURL: 'http://h:1/v1',
      headers: { Authorization: `Basic ${Buffer.from('ann:s@cret99').toString('base64')}` },
      query: { 'api-version': '2024-01' },
    })
    expect(redact('login s@cret99 failed', endpoint)).toBe('login [hidden] failed')
  })

  it('that is none is refused without showing a login', () => {
    expect(() => resolveEndpoint({ baseURL: 'ftp://ann:secret@h' }, {})).toThrow(
      expect.objectContaining({ code: 'CONFIG', message: expect.not.stringContaining('secret') }),
    )
  })
})

describe('an endpoint', () => {
  it('is OpenAI when only a key is known', () => {
    expect(resolveEndpoint({}, { OPENAI_API_KEY: 'sk-123456' })).toMatchObject({
      baseURL: 'https://api.openai.com/v1',
      apiKey: 'sk-123456',
    })
  })

  it('is taken from the options before the environment, and empty variables count as unset', () => {
    const env = { OPENAI_BASE_URL: 'http://env:1', OPENAI_API_KEY: ' ' }
    expect(resolveEndpoint({}, env)).toMatchObject({ baseURL: 'http://env:1/v1', apiKey: undefined })
    expect(resolveEndpoint({ baseURL: 'http://opt:1', apiKey: 'k' }, env)).toMatchObject({
      baseURL: 'http://opt:1/v1',
      apiKey: 'k',
    })
  })

  it('hides the key and the values of headers', () => {
    const endpoint = resolveEndpoint({ baseURL: 'h', apiKey: 'sk-abcdef', headers: { Authorization: 'Bearer tok-12345' } }, {})
    expect(redact('sk-abcdef tok-12345', endpoint)).toBe('[hidden] [hidden]')
  })

  it.each([
    ['as it is', 'no sk-a/b+c=='],
    ['percent-encoded', 'Cannot POST /v1?key=sk-a%2Fb%2Bc%3D%3D'],
    ['in JSON', '{"key":"sk-a\\/b+c=="}'],
    ['as a part of another', 'Basic sk-a/b+c==rest'],
  ])('hides a key that a server quotes %s', (_, said) => {
    const endpoint = resolveEndpoint({ baseURL: 'h', apiKey: 'sk-a/b+c==', headers: { 'x-key': 'sk-a/b+c==rest' } }, {})
    const shown = redact(said, endpoint)
    expect(shown).toContain('[hidden]')
    expect(shown).not.toMatch(/sk-a|rest/)
  })
})
