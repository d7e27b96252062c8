// The keys, and what the marks of a raw reply mean.
import { useEffect, useRef } from './preact.js'
import './help.css'

const KEYS = [
  ['j', 'next turn'],
  ['k', 'turn before'],
  ['r', 'next repair'],
  ['e', 'next error'],
  ['/', 'search'],
  ['?', 'these keys'],
  ['Esc', 'close, or clear the search'],
] as const

export function Help({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    <dialog ref={dialog} onClose={onClose} aria-label="Keys and marks">
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h2>A raw reply</h2>
      <ul class="legend">
        <li>
          <span class="segment kept">kept</span> read as it stands
        </li>
        <li>
          <span class="segment moved">moved</span> read in another form or at another place
        </li>
        <li>
          <del class="segment struck">struck</del> left out
        </li>
        <li>
          <span class="note">1</span> a problem begins here; its number stands beside it on the right
        </li>
      </ul>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  )
}
