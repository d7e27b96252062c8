// A text of a model or a tool → text nodes. What would not be seen, or would change the order of what is seen, is written out; a long text begins folded.
import { UNSEEN } from '../../parse/columns.js'
import { useState } from './preact.js'

/** Runs of such characters; line breaks and tabs are seen as they are. */
const WRITTEN_OUT = new RegExp(`((?![\\n\\t])${UNSEEN.source})`, 'u')

export function Text({ text }: { readonly text: string }) {
  if (!UNSEEN.test(text.replace(/[\n\t]/g, ''))) return <>{text}</>
  return (
    <>
      {text.split(WRITTEN_OUT).map((piece, at) =>
        at % 2 === 1 ? (
          <span key={at} class="unseen" title="a character that is not seen">
            {`\\u{${(piece.codePointAt(0) ?? 0).toString(16)}}`}
          </span>
        ) : (
          piece
        ),
      )}
    </>
  )
}

const FOLDED = { characters: 4_000, lines: 60 }
const MORE = 200_000

/** As much of a text as is looked at without asking for more. */
export function foldAt(text: string): number {
  let end = Math.min(text.length, FOLDED.characters)
  let line = -1
  for (let lines = 0; lines < FOLDED.lines; lines++) {
    line = text.indexOf('\n', line + 1)
    if (line < 0 || line > end) return wholeCharacters(text, end)
  }
  end = Math.min(end, line)
  return wholeCharacters(text, end)
}

export function LongText({ text }: { readonly text: string }) {
  const [end, setEnd] = useState(() => foldAt(text))
  const left = text.length - end
  return (
    <>
      <pre>
        <Text text={text.slice(0, end)} />
      </pre>
      {left > 0 && (
        <button type="button" class="more" onClick={() => setEnd(wholeCharacters(text, end + MORE))}>
          Show {left > MORE ? `${sizeText(MORE)} more of ${sizeText(text.length)}` : `all ${sizeText(text.length)}`}
        </button>
      )}
    </>
  )
}

export function sizeText(characters: number): string {
  if (characters < 1_000) return `${characters} characters`
  return characters < 1_000_000 ? `${(characters / 1_000).toFixed(1)} kB` : `${(characters / 1_000_000).toFixed(1)} MB`
}

function wholeCharacters(text: string, end: number): number {
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end + 1 : Math.min(end, text.length)
}
