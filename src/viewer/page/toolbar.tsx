// What of the run is shown → the search, the filters, the second run to compare with, and the theme.
import type { Kind } from '../search.js'
import { useState } from './preact.js'
import './toolbar.css'

interface ToolbarProps {
  readonly text: string
  readonly kind: Kind
  readonly shown: number
  readonly all: number
  readonly onText: (text: string) => void
  readonly onKind: (kind: Kind) => void
  readonly onFile: (file: File) => void
  readonly onHelp: () => void
}

export const SEARCH_ID = 'search'

const KINDS: readonly (readonly [Kind, string])[] = [
  ['all', 'All'],
  ['repairs', '~ Repairs'],
  ['errors', '! Errors'],
]

export function Toolbar({ text, kind, shown, all, onText, onKind, onFile, onHelp }: ToolbarProps) {
  return (
    <search class="toolbar">
      <input
        id={SEARCH_ID}
        type="search"
        value={text}
        placeholder="Search, tool:NAME, code:NAME"
        aria-label="Search the run"
        autocomplete="off"
        spellcheck={false}
        onInput={event => onText(event.currentTarget.value)}
      />
      <fieldset class="kinds">
        <legend class="off-screen">Show</legend>
        {KINDS.map(([value, label]) => (
          <label key={value} class={value === kind ? 'chosen' : ''}>
            <input type="radio" name="kind" class="off-screen" checked={value === kind} onChange={() => onKind(value)} />
            {label}
          </label>
        ))}
      </fieldset>
      <span class="quiet" role="status">
        {shown === all ? `${all} turns` : `${shown} of ${all} turns`}
      </span>
      <span class="space" />
      <label class="button">
        Compare…
        <input
          type="file"
          class="off-screen"
          accept=".jsonl,.html,.json"
          onChange={event => {
            const [file] = event.currentTarget.files ?? []
            if (file) onFile(file)
            event.currentTarget.value = ''
          }}
        />
      </label>
      <ThemeButton />
      <button type="button" onClick={onHelp} aria-label="Keys" title="Keys (?)">
        ?
      </button>
    </search>
  )
}

const THEMES = ['as the system', 'light', 'dark'] as const

function ThemeButton() {
  const [at, setAt] = useState(0)
  const change = () => {
    const next = (at + 1) % THEMES.length
    setAt(next)
    const theme = THEMES[next]
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    else delete document.documentElement.dataset.theme
  }
  return (
    <button type="button" onClick={change} aria-label={`Theme: ${THEMES[at]}`} title={`Theme: ${THEMES[at]}`}>
      {['◐', '☀', '☾'][at]}
    </button>
  )
}
