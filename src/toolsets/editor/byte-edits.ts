// The bytes of a file and an edit → the bytes after it. What lies outside of the edit is not even read as text: tabs, line ends, a byte order mark,
// bytes that are no UTF-8 and the missing end of a last line stay as they are.

export interface Edit {
  readonly bytes: Buffer
  /** The lines that are new, from 1; `to` is before `from` when none is. */
  readonly from: number
  readonly to: number
}

/** Throws what a model can act on, unless `old` is there exactly once, whatever its line ends. The new text gets those of the one it replaces. */
export function replaceOnce(bytes: Buffer, old: string, by: string): Edit {
  if (old === '') throw new Error('the old text is empty: give the text to replace')
  const places = placesOf(bytes, old)
  const [place] = places
  if (place === undefined) throw new Error(notFound(bytes, old))
  if (places.length > 1) {
    const lines = new Set(places.map(({ at }) => lineAt(bytes, at)).slice(0, MOST_TOLD))
    throw new Error(
      `the old text is there ${places.length === MOST_PLACES ? 'very often' : `${places.length} times`}, beginning in lines ${[...lines].join(', ')}: add lines around it, so that it is there once`,
    )
  }
  const { at, text } = place
  const fresh = Buffer.from(withEnds(by, text.match(/\r?\n/g) ?? [lineEnd(bytes)]))
  const after = Buffer.concat([bytes.subarray(0, at), fresh, bytes.subarray(at + text.length)])
  return { bytes: after, from: lineAt(after, at), to: lineAt(after, at + fresh.length) }
}

/** Puts whole lines behind line `line`; 0 is the beginning. */
export function insertAfter(bytes: Buffer, line: number, text: string): Edit {
  const starts = lineStarts(bytes)
  if (!Number.isInteger(line) || line < 0 || line > starts.length)
    throw new Error(`insert_line is ${line}: give 0 to ${starts.length}, the number of lines`)
  const ends = lineEnd(bytes)
  const lines = text.replace(/\r?\n$/, '').replace(/\r?\n/g, ends)
  const mark = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0
  const at = line === 0 ? mark : (starts[line] ?? bytes.length)
  // behind a last line without an end it is the new one that has none
  const open = at === bytes.length && at > mark && bytes[at - 1] !== 10
  const fresh = Buffer.from(open ? `${ends}${lines}` : `${lines}${ends}`)
  const count = lines.split('\n').length
  return { bytes: Buffer.concat([bytes.subarray(0, at), fresh, bytes.subarray(at)]), from: line + 1, to: line + count }
}

/** The lines as a model reads them: no byte order mark, no line ends. */
export function linesOf(bytes: Buffer): string[] {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0)
}

/** Most places that are looked for, and most that are told. */
const MOST_PLACES = 1000
const MOST_TOLD = 20

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** That of most lines. */
function lineEnd(bytes: Buffer): string {
  let [all, windows] = [0, 0]
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    all++
    if (bytes[at - 1] === 13) windows++
  }
  return windows * 2 > all ? '\r\n' : '\n'
}

function lineStarts(bytes: Buffer): number[] {
  if (bytes.length === 0) return []
  const starts = [0]
  for (let at = bytes.indexOf(10); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(10, at + 1)) starts.push(at + 1)
  return starts
}

/** Where a text stands, in bytes, and what stands there, a character for each. */
interface Place {
  readonly at: number
  readonly text: string
}

/** Also those that overlap: which of them was meant, nobody knows. A model writes plain line ends, whatever the file has. */
function placesOf(bytes: Buffer, wanted: string): readonly Place[] {
  const pieces = Buffer.from(wanted).toString('latin1').split(/\r?\n/)
  const [first = ''] = pieces
  const text = bytes.toString('latin1')
  const places: Place[] = []
  for (
    let at = text.indexOf(first);
    at >= 0 && at < text.length && places.length < MOST_PLACES;
    at = text.indexOf(first, at + 1)
  ) {
    const end = isWithinEnd(text, at) ? undefined : endOf(text, at, pieces)
    if (end !== undefined) places.push({ at, text: text.slice(at, end) })
  }
  return places
}

/** Where these pieces end when they begin at `at`, with a line end of either kind between two of them. */
function endOf(text: string, at: number, pieces: readonly string[]): number | undefined {
  let end = at
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) {
      const between = text.startsWith('\n', end) ? 1 : text.startsWith('\r\n', end) ? 2 : 0
      if (between === 0) return undefined
      end += between
    }
    if (!text.startsWith(piece, end)) return undefined
    end += piece.length
  }
  return end
}

/** Between the two characters of one line end. */
function isWithinEnd(text: string, at: number): boolean {
  return text[at] === '\n' && text[at - 1] === '\r'
}

/** Each line end becomes the one in its place, those beyond them the last. */
function withEnds(text: string, ends: readonly string[]): string {
  let index = 0
  return text.replace(/\r?\n/g, () => ends[index++] ?? ends.at(-1) ?? '\n')
}

function lineAt(bytes: Buffer, at: number): number {
  let line = 1
  for (let end = bytes.indexOf(10); end >= 0 && end < at; end = bytes.indexOf(10, end + 1)) line++
  return line
}

function notFound(bytes: Buffer, old: string): string {
  const lines = linesOf(bytes)
  const wanted = old.split(/\r?\n/).map(squeezed)
  const at = lines.findIndex((_, start) => wanted.every((line, index) => squeezed(lines[start + index] ?? '') === line))
  if (old.includes('\uFFFD'))
    return 'the old text is not in the file: \uFFFD stands for bytes that are no UTF-8; choose lines that hold none, or change those in bash'
  const hint =
    at < 0
      ? 'view the file and copy the text exactly as it stands there'
      : `lines ${at + 1} to ${at + wanted.length} differ from it in white space alone: copy them exactly, they are\n${lines.slice(at, at + wanted.length).join('\n')}`
  return `the old text is not in the file; ${hint}`
}

function squeezed(line: string): string {
  return line.split(/\s/).filter(Boolean).join(' ')
}
