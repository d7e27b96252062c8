// Which hosts a list allows: written in every way that might slip through it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalHost, hostRules } from '../../src/toolsets/host-rules.js'
import { isPublicAddress } from '../../src/toolsets/public-address.js'

const rules = hostRules([
  'example.com',
  '*.shop.example',
  'localhost:3000',
  '10.0.0.5:8080',
  'bücher.example',
  '[2001:db8::5]:81',
  'any.example:*',
])

describe('a list of hosts allows', () => {
  test.each([
    'http://example.com/',
    'https://EXAMPLE.com/path?q=1#x',
    'https://example.com./',
    'http://example.com:80/',
    'http://example.com:443/',
    'https://a.shop.example/',
    'https://a.b.shop.example/',
    'http://localhost:3000/',
    'http://10.0.0.5:8080/',
    'http://0x0a000005:8080/',
    'http://xn--bcher-kva.example/',
    'http://BÜCHER.example/',
    'http://[2001:db8:0:0::5]:81/',
    'http://any.example:12345/',
    'http:\\\\example.com\\x',
    'http://ＥＸＡＭＰＬＥ.com/',
  ])('%s', url => expect(rules.refusalOfUrl(url)).toBeUndefined())
})

const FORBIDDEN = [
  [
    'another host',
    ['http://evil.example/', 'http://com/', 'http://example.org/', 'http://xexample.com/', 'http://example.comx/'],
  ],
  [
    'a listed name in front',
    ['http://example.com.evil.example/', 'http://example.com-evil.example/', 'http://example.com%2eevil.example/'],
  ],
  [
    'a listed name at the end',
    [
      'http://evilexample.com/',
      'http://evil-shop.example/',
      'http://evil.example/example.com',
      'http://evil.example/?example.com',
    ],
  ],
  [
    'a listed name as user',
    [
      'http://example.com@evil.example/',
      'http://example.com:80@evil.example/',
      'http://a:b@example.com/',
      'http://a@example.com/',
      'http://example.com%40evil.example/',
      'http://evil.example\\@example.com/',
    ],
  ],
  ['below a name that is listed alone', ['http://www.example.com/', 'http://a.localhost:3000/']],
  ['the name of a wildcard itself', ['http://shop.example/', 'http://.shop.example/']],
  [
    'another port',
    [
      'http://example.com:8080/',
      'https://example.com:22/',
      'http://localhost/',
      'http://localhost:3001/',
      'http://10.0.0.5/',
      'http://[2001:db8::5]/',
    ],
  ],
  [
    'another scheme',
    [
      'ftp://example.com/',
      'file:///etc/passwd',
      'file://example.com/etc/passwd',
      'data:text/html,x',
      'javascript:alert(1)',
      'view-source:http://example.com/',
      'chrome://version/',
      'about:blank',
      'blob:http://example.com/1',
      'ws://example.com/',
      'filesystem:http://example.com/x',
      'JavaScript:1',
      ' javascript:1',
      'mailto:a@example.com',
    ],
  ],
  [
    'loopback in odd forms',
    [
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0x7f.1/',
      'http://0177.0.0.1/',
      'http://017700000001/',
      'http://0/',
      'http://0.0.0.0/',
      'http://[::1]/',
      'http://[::]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:7f00:1]/',
      'http://[0:0:0:0:0:ffff:7f00:0001]/',
      'http://127.0.0.1./',
      'http://１２７.0.0.1/',
      'http://127。0。0。1/',
      'http://①②⑦.0.0.1/',
      'http://localhost./',
      'http://LOCALHOST/',
    ],
  ],
  [
    'private networks',
    [
      'http://169.254.169.254/',
      'http://10.0.0.6:8080/',
      'http://192.168.0.1/',
      'http://172.16.0.1/',
      'http://[fe80::1]/',
      'http://[fd00::1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://2852039166/',
    ],
  ],
  [
    'letters that look alike',
    [
      'http://exаmple.com/',
      'http://example。com.evil.example/',
      'http://exam\u200bple.com.evil.example/',
      'http://еxample.com/',
      'http://bucher.example/',
    ],
  ],
  [
    'what is no URL',
    [
      '',
      'example.com',
      '//example.com/',
      'http://',
      'http:///',
      'http://exa mple.com/',
      'http://[::1',
      'http://example.com:99999/',
      'http://*.shop.example/',
      'http://*/',
      'http://a..shop.example/',
      'http://[fe80::1%25eth0]/',
    ],
  ],
] as const

describe.each(FORBIDDEN)('a list of hosts refuses %s', (_, urls) => {
  test.each(urls)('%j', url => expect(rules.refusalOfUrl(url)).toEqual(expect.any(String)))
})

test('more than eighty ways around the list are refused, none gets through', () => {
  const ways = FORBIDDEN.flatMap(([, urls]) => urls)
  expect(ways.filter(url => rules.refusalOfUrl(url) === undefined)).toEqual([])
  expect(ways.length).toBeGreaterThanOrEqual(80)
})

describe('a refusal', () => {
  test.each([
    ['https://evil.example/', 'evil.example is not on the list of allowed hosts'],
    ['https://example.com:8443/', 'port 8443 of example.com is not on the list of allowed hosts'],
    ['file:///etc/passwd', 'only http and https may be opened, not file:'],
    ['https://a:b@example.com/', 'the URL holds a user name or a password'],
  ])('of %s says why', (url, why) => expect(rules.refusalOfUrl(url)).toBe(why))
})

describe('the address of a listed name', () => {
  test.each(['93.184.215.14', '2606:2800:21f:cb07::1', '8.8.8.8', '64:ff9b::808:808'])('may be the public %s', address =>
    expect(rules.refusalOfAddress('example.com', address, 443)).toBeUndefined(),
  )

  test.each([
    '127.0.0.1',
    '10.0.0.5',
    '::1',
    '::',
    '::ffff:10.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '224.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
    '2002:7f00:1::',
    '64:ff9b::a00:5',
    '2001:db8::5',
    'none',
  ])('must not be %s', address => expect(rules.refusalOfAddress('example.com', address, 443)).toMatch(/private address/))

  test.each([
    ['10.0.0.5', '10.0.0.5', 8080],
    ['intranet.example', '10.0.0.5', 8080],
    ['localhost', '127.0.0.1', 3000],
    ['localhost', '::1', 3000],
    ['2001:db8::5', '2001:db8::5', 81],
  ])('of %s may be %s, which is listed with port %i', (host, address, port) =>
    expect(rules.refusalOfAddress(host, address, port)).toBeUndefined(),
  )

  test.each([
    ['10.0.0.5', '10.0.0.5', 80],
    ['localhost', '127.0.0.1', 80],
    ['localhost', '10.0.0.6', 3000],
    ['example.com', '127.0.0.1', 3000],
  ])('of %s must not be %s at port %i', (host, address, port) =>
    expect(rules.refusalOfAddress(host, address, port)).toEqual(expect.any(String)),
  )
})

describe('every public host', () => {
  const all = hostRules(['*'])
  test.each(['http://example.com/', 'https://8.8.8.8/'])('holds %s', url => expect(all.refusalOfUrl(url)).toBeUndefined())
  test.each([
    'http://localhost/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://a.localhost/',
    'http://example.com:22/',
    'file:///x',
  ])('does not hold %s', url => expect(all.refusalOfUrl(url)).toEqual(expect.any(String)))
})

test.each([
  '',
  '*.',
  '*.com',
  '*x.example',
  'a.*.example',
  '**',
  'http://example.com',
  'example.com/x',
  'a@b.example',
  'example.com:0',
  'example.com:70000',
  '*.10.0.0.1',
  'exa mple.com',
  '%65xample.com',
])('the pattern %j is refused', pattern =>
  expect(() => hostRules([pattern])).toThrow(expect.objectContaining({ code: 'CONFIG' })),
)

describe('properties', () => {
  test('whatever a host is written like, an empty list allows nothing', () => {
    const none = hostRules([])
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => none.refusalOfUrl(`http://${text}/`) !== undefined))
  })

  test('a canonical host stays as it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.ipV4(), fc.ipV4Extended(), fc.ipV6()), text => {
        const host = canonicalHost(text)
        return host === undefined || canonicalHost(host) === host
      }),
    )
  })

  test('an IPv4 address is as public as what wraps it', () => {
    fc.assert(fc.property(fc.ipV4(), address => isPublicAddress(`::ffff:${address}`) === isPublicAddress(address)))
  })
})
