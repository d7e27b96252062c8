// The proxy that a browser's traffic goes through, asked as a browser asks it; and every way a page has to ask for something elsewhere.
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, openGateway, type Refusal } from '../../../src/toolsets/browser/gateway.js'
import { hostRules } from '../../../src/toolsets/host-rules.js'
import { browse } from '../../support/browsing.js'
import { CHROMIUM, WITHOUT_CHROMIUM } from '../../support/chromium.js'
import { type Route, type Site, startSite } from '../../support/site.js'

interface Answer {
  readonly status: number
  readonly text: string
}

/** Asks for a URL as a browser asks its proxy. */
function viaProxy(gateway: Gateway, url: string, { method = 'GET', body = '' } = {}): Promise<Answer> {
  const { hostname, port } = new URL(gateway.url)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: url, method, headers: { host: 'whatever', 'content-length': body.length } })
    asked.on('error', reject).on('response', async answered => {
      let text = ''
      for await (const chunk of answered) text += String(chunk)
      resolve({ status: answered.statusCode ?? 0, text })
    })
    asked.end(body)
  })
}

/** Opens a tunnel and sends a request through it; gives all that comes back. */
function viaTunnel(gateway: Gateway, target: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url)
  return new Promise(resolve => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`))
    socket.on('data', chunk => {
      text += String(chunk)
      if (text.endsWith('Established\r\n\r\n')) socket.write('GET /welcome.html HTTP/1.0\r\n\r\n')
    })
    socket.on('error', () => {}).on('close', () => resolve(text))
  })
}

describe('a gateway', () => {
  let site: Site
  let gateway: Gateway
  const refused: Refusal[] = []
  const resolved: string[] = []
  beforeAll(async () => {
    const echo: Route = async (incoming, response) => {
      let text = ''
      for await (const chunk of incoming) text += String(chunk)
      response.writeHead(201).end(`${incoming.method} ${text} ${incoming.headers['proxy-connection'] ?? ''}`)
    }
    site = await startSite({ '/echo': echo })
    const { port } = new URL(site.url)
    const rules = hostRules([site.host, `listed.example:${port}`, `both.example:${port}`, `gone.example:${port}`, '127.0.0.1:1'])
    gateway = await openGateway(rules, {
      onRefused: refusal => refused.push(refusal),
      resolve: async name => {
        resolved.push(name)
        if (name === 'gone.example') throw new Error('getaddrinfo ENOTFOUND gone.example')
        return name === 'both.example' ? ['93.184.215.14', '10.0.0.1'] : ['127.0.0.9']
      },
    })
  })
  afterAll(async () => {
    await gateway.close()
    await site.close()
  })

  test('passes on what a listed host is asked, and what it says', async () => {
    expect(await viaProxy(gateway, `${site.url}/echo`, { method: 'POST', body: 'x=1' })).toEqual({
      status: 201,
      text: 'POST x=1 ',
    })
    expect(await viaTunnel(gateway, site.host)).toContain('Your membership number is 7731.')
  })

  test.each([
    ['another host', () => 'http://other.example/'],
    ['another port', () => 'http://127.0.0.1:9/'],
    ['a listed name at a private address', () => `http://listed.example:${new URL(site.url).port}/`],
    ['a listed name one of whose addresses is private', () => `http://both.example:${new URL(site.url).port}/`],
    ['no http', () => 'https://127.0.0.1/'],
    ['a path alone', () => '/welcome.html'],
  ])('refuses %s, and says so', async (_, url) => {
    const before = site.connections()
    expect(await viaProxy(gateway, url())).toEqual({ status: 403, text: expect.stringMatching(/^not opened: /) })
    expect(site.connections()).toBe(before)
  })

  test.each(['other.example:443', '127.0.0.1:9', '[::1]:443', 'listed.example:80', 'x', ':1', 'a:b:1', ''])(
    'opens no tunnel to %j',
    async target => expect(await viaTunnel(gateway, target)).toMatch(/^HTTP\/1\.1 403 /),
  )

  test('resolves no name that is not listed', async () => {
    resolved.length = 0
    await viaProxy(gateway, 'http://secret-in-a-name.example/')
    expect(resolved).toEqual([])
    expect(refused.at(-1)).toEqual({
      host: 'secret-in-a-name.example',
      reason: 'secret-in-a-name.example is not on the list of allowed hosts',
    })
  })

  test('says which host could not be reached', async () => {
    expect(await viaProxy(gateway, 'http://127.0.0.1:1/')).toMatchObject({
      status: 502,
      text: expect.stringMatching(/^not reached: /),
    })
    expect(await viaProxy(gateway, `http://gone.example:${new URL(site.url).port}/`)).toMatchObject({ status: 502 })
  })
})

const html =
  (body: string): Route =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Try</title>${body}`)
const script = (code: string): Route => html(`<script>${code}</script>`)
const redirect =
  (status: number, to: string): Route =>
  (_, response) =>
    void response.writeHead(status, { location: to }).end()

/** Each asks for something at a forbidden address in another way. */
function waysTo(url: string, ws: string): Readonly<Record<string, Route>> {
  return {
    redirect: redirect(302, url),
    'redirect that keeps the method': redirect(307, url),
    'redirect for good': redirect(301, url),
    'meta refresh': html(`<meta http-equiv="refresh" content="0; url=${url}">`),
    'refresh header': (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html', refresh: `0; url=${url}` }).end('x'),
    location: script(`location.href = '${url}'`),
    'location.replace': script(`location.replace('${url}')`),
    'window.open': script(`window.open('${url}')`),
    'click on a link': script(`const a = document.createElement('a'); a.href = '${url}'; document.body?.append(a); a.click()`),
    form: html(
      `<form method="post" action="${url}"><input name="x" value="1"></form><script>document.forms[0].submit()</script>`,
    ),
    image: html(`<img src="${url}">`),
    'image of a set': html(`<img srcset="${url} 2x, ${url} 1x">`),
    script: html(`<script src="${url}"></script>`),
    module: html(`<script type="module">import '${url}'</script>`),
    style: html(`<link rel="stylesheet" href="${url}">`),
    'style that imports': html(`<style>@import '${url}'; body { background: url(${url}) }</style>`),
    font: html(`<style>@font-face { font-family: f; src: url(${url}) } p { font-family: f }</style><p>text`),
    frame: html(`<iframe src="${url}"></iframe>`),
    'frame within a frame': html(`<iframe srcdoc="<iframe src='${url}'></iframe>"></iframe>`),
    object: html(`<object data="${url}"></object><embed src="${url}">`),
    video: html(`<video src="${url}" autoplay></video><audio src="${url}" autoplay></audio>`),
    icon: html(`<link rel="icon" href="${url}">`),
    prefetch: html(`<link rel="prefetch" href="${url}"><link rel="preload" as="image" href="${url}">`),
    preconnect: html(`<link rel="preconnect" href="${url}"><link rel="dns-prefetch" href="${url}">`),
    manifest: html(`<link rel="manifest" href="${url}">`),
    fetch: script(`fetch('${url}', { mode: 'no-cors' })`),
    'fetch that keeps going': script(`fetch('${url}', { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' })`),
    XMLHttpRequest: script(`const r = new XMLHttpRequest(); r.open('GET', '${url}'); r.send()`),
    beacon: script(`navigator.sendBeacon('${url}', 'x')`),
    WebSocket: script(`new WebSocket('${ws}')`),
    EventSource: script(`new EventSource('${url}')`),
    worker: script(`new Worker(URL.createObjectURL(new Blob(["importScripts('${url}'); fetch('${url}')"])))`),
    WebRTC: script(
      `const p = new RTCPeerConnection({ iceServers: [{ urls: 'turn:${ws.slice(5)}?transport=tcp', username: 'a', credential: 'b' }] }); p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o))`,
    ),
  }
}

describe.skipIf(!CHROMIUM)(`a browser behind it${WITHOUT_CHROMIUM}`, { timeout: 120_000 }, () => {
  test('asks a forbidden host for nothing, whatever the way: not one connection', async () => {
    const forbidden = await startSite({}, '127.0.0.2')
    const { port } = new URL(forbidden.url)
    const ways = waysTo(`${forbidden.url}/welcome.html`, `ws://${forbidden.host}/`)
    const paths = Object.fromEntries(Object.values(ways).map((route, at) => [`/way-${at}`, route]))
    const site = await startSite(paths)
    const web = browse({
      start: `${site.url}/welcome.html`,
      allowHosts: [`rebound.example:${port}`],
      resolve: async () => ['127.0.0.2'],
    })
    try {
      const straight = [
        ...[forbidden.url, `https://${forbidden.host}/`, `http://2130706434:${port}/`, `http://0x7f000002:${port}/`],
        ...[`http://[::ffff:127.0.0.2]:${port}/`, `http://127.2:${port}/`, `http://${site.host}@${forbidden.host}/`],
        ...[
          `view-source:${forbidden.url}`,
          'file:///etc/hostname',
          'chrome://version/',
          'data:text/html,x',
          'javascript:1',
          'blob:x',
        ],
        ...[`http://rebound.example:${port}/`, `filesystem:${forbidden.url}`, 'about:blank'],
      ]
      for (const url of straight) {
        await web.look()
        await expect(web.run('go_to_url', { url }), url).rejects.toThrow(/not opened: |is no address/)
      }
      for (const path of Object.keys(paths)) {
        await web.look()
        await web.run('go_to_url', { url: site.url + path }).catch(() => {})
      }
      expect(Object.keys(paths).filter(path => !site.asked.includes(path))).toEqual([])
      expect(straight.length + Object.keys(paths).length).toBeGreaterThan(30)
      expect([forbidden.connections(), forbidden.asked]).toEqual([0, []])
      expect(await web.look()).not.toContain('7731')
    } finally {
      await web.close()
      await Promise.all([site.close(), forbidden.close()])
    }
  })

  test('asks a listed host at once for what a page wants of it, and says what it left out', async () => {
    const other = await startSite({}, '127.0.0.2')
    const site = await startSite({
      '/with': html(`<img src="${other.url}/a.png">`),
      '/without': html('<img src="http://127.0.0.3/a.png">'),
    })
    const web = browse({ start: `${site.url}/with`, allowHosts: [other.host] })
    try {
      await web.look()
      expect(other.asked).toEqual(['/a.png'])
      await web.run('go_to_url', { url: '/without' })
      expect(await web.look()).toContain('Note: not loaded: 127.0.0.3 is not on the list of allowed hosts')
    } finally {
      await web.close()
      await Promise.all([site.close(), other.close()])
    }
  })
})
