// An answer that is no reply → the beginning of its body, as text. Never rejects and never waits long: it explains an error, no more.

const MAX_CHARACTERS = 64 * 1024
const MAX_MS = 5_000

/** Closes the body. */
export async function refusalBody(response: Response): Promise<string> {
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
