import { describe, expect, it } from 'vitest'
import type { Place } from '../../src/model/endpoint-error.js'
import { shortAnswer } from '../../src/model/short-answer.js'

type Source = ConstructorParameters<typeof ReadableStream<Uint8Array>>[0]

const place: Place = { request: 'GET http://localhost/v1/models', model: '', keySent: false, secrets: [] }

/** What an endpoint answers whose body is this stream. */
async function answerOf(source: Source, timeoutMs?: number): Promise<unknown> {
  const request = async () => new Response(new ReadableStream(source))
  return shortAnswer({ request }, 'get', '/models', place, { timeoutMs }).catch(error => error)
}

describe('an answer that is no reply', () => {
  it('is put together across characters that were cut', async () => {
    const bytes = new TextEncoder().encode('["größer"]')
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    }
    expect(await answerOf({ start })).toBe('["größer"]')
  })

  it('is refused and closed when it does not end', async () => {
    let closed = false
    const piece = new Uint8Array(1024 * 1024).fill(120)
    const answer = await answerOf({
      pull: controller => controller.enqueue(piece),
      cancel: () => {
        closed = true
      },
    })
    expect(answer).toMatchObject({ code: 'MODEL_BAD_RESPONSE' })
    expect(closed).toBe(true)
  })

  it.each(['hangs', 'trickles'])('is not waited for when it %s', async how => {
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) =>
      new Promise<void>(resolve => {
        if (how === 'trickles') {
          controller.enqueue(Uint8Array.of(32))
          setTimeout(resolve, 5)
        }
      })
    expect(await answerOf({ pull }, 50)).toMatchObject({ code: 'MODEL_TIMEOUT' })
  })

  it('breaks off as a connection does', async () => {
    const broken = await answerOf({ pull: controller => controller.error(new TypeError('terminated')) })
    expect(broken).toMatchObject({ name: 'SaydoError', code: 'MODEL_UNREACHABLE' })
  })
})
