// What a model writes as an address → the URL that is meant.

/** Without a scheme it is a web page; a path belongs to the page that is open. Undefined for what is no address. */
export function addressOf(text: string, present: string): string | undefined {
  const written = text.trim().replace(/^<(.{1,4000})>$/, '$1')
  if (written === '' || /\s/.test(written)) return undefined
  if (/^[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:[/?#]|$))/i.test(written)) return URL.canParse(written) ? new URL(written).href : undefined
  if (/^[/?#]/.test(written) && !written.startsWith('//'))
    return URL.canParse(written, present) ? new URL(written, present).href : undefined
  const bare = written.replace(/^\/\//, '')
  const url = `${/^(?:localhost|[\d.]+|\[[\d:a-f]+\])(?=[:/?#]|$)/i.test(bare) ? 'http' : 'https'}://${bare}`
  return URL.canParse(url) ? new URL(url).href : undefined
}
