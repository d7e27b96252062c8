// What programs printed → a text a model reads: its beginning and its end, with how much was left out between them; what is no text is named.

export interface OutputText {
  readonly text: string
  /** Bytes left out; 0 when it is whole. */
  readonly omitted: number
}

const HEAD_SHARE = 0.6
const SAMPLE = 8192
/** A whole character of UTF-8 has at most three bytes behind its first. */
const CONTINUATION = 3

/** `most` in bytes. Cut between characters; a progress bar keeps what it ended in. */
export function outputText(bytes: Buffer, most: number): OutputText {
  if (isBinary(bytes)) return { text: `[binary output, ${bytes.length} bytes]`, omitted: 0 }
  if (bytes.length <= most) return { text: plain(bytes), omitted: 0 }
  const head = characterStart(bytes, Math.floor(most * HEAD_SHARE))
  const tail = characterStart(bytes, bytes.length - (most - head))
  const omitted = tail - head
  return {
    text: `${plain(bytes.subarray(0, head))}\n[… ${omitted} bytes left out …]\n${plain(bytes.subarray(tail))}`,
    omitted,
  }
}

/** Colours and cursor movements are for a screen. */
function plain(bytes: Buffer): string {
  return (
    bytes
      .toString('utf8')
      .replace(/\x1b(?:\[[0-?]{0,32}[ -/]{0,4}[@-~]|[\]PX^_][^\x07\x1b]{0,512}(?:\x07|\x1b\\)|[ -/]{1,4}[0-~]|[0-Z\\^-~])/g, '')
      // struck over, which makes it bold on a printer
      .replace(/[^\n\x08]\x08/g, '')
      .split('\n')
      .map(line => lastWritten(line))
      .join('\n')
  )
}

/** A carriage return goes back to the beginning of a line, and what follows stands in its place. */
function lastWritten(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line
  return whole.slice(whole.lastIndexOf('\r') + 1)
}

function characterStart(bytes: Buffer, at: number): number {
  let start = at
  while (start > at - CONTINUATION && start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}

function isBinary(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, SAMPLE)
  let strange = 0
  for (const byte of sample) {
    if (byte === 0) return true
    if (byte < 8 || (byte > 13 && byte < 27) || byte === 127) strange++
  }
  return strange > sample.length / 10
}
