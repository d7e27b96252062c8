// Small facts about fences on one line: does one open here, how long is it, does it close on its own line.

export function isFence(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 96 ? text.startsWith('```', at) : code === 126 && text.startsWith('~~~', at)
}

export function ticksAt(text: string, at: number): string {
  let end = at
  while (text[end] === text[at]) end++
  return text.slice(at, end)
}

/** The fence is closed on the line that opens it. */
export function closesOnLine(text: string, at: number, end: number): boolean {
  const mark = ticksAt(text, at)
  return text.slice(at + mark.length, end).includes(mark)
}

export function onlyTicks(text: string, at: number, end: number, char: string): boolean {
  let i = at
  while (i < end && text[i] === char) i++
  return text.slice(i, end).trim() === ''
}
