// A response → the JSON of its events: as little as can be done.

export async function* events(response) {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    let from = 0
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', from)) {
      const data = text.slice(from + 'data: '.length, end)
      from = end + 2
      if (data !== '[DONE]') yield JSON.parse(data)
    }
    text = text.slice(from)
  }
}
