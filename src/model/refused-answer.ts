// A fetch → a fetch that throws every answer outside 200 to 299, with its body. The `openai` client would keep only what stands under `error`
// in it, and many servers explain themselves elsewhere.

export class RefusedAnswer extends Error {
  readonly status: number
  readonly headers: Headers
  /** Bounded. */
  readonly body: string

  constructor(response: Response, body: string) {
    super('refused')
    this.status = response.status
    this.headers = response.headers
    this.body = body
  }
}

export function throwingRefusals(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.ok) return response
    throw new RefusedAnswer(response, await beginningOf(response))
  }
}

const MAX_CHARACTERS = 64 * 1024
const MAX_MS = 5_000

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  const hangUp = () => void reader.cancel().catch(() => {})
  const timer = setTimeout(hangUp, MAX_MS)
  let text = ''
  try {
    while (text.length < MAX_CHARACTERS) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    // what came is enough
  }
  clearTimeout(timer)
  hangUp()
  return text
}
