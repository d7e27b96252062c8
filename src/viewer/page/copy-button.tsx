// A text, made when it is wanted → a button that puts it on the clipboard, and says so.
import { useState } from './preact.js'
import { Text } from './text-view.js'

interface CopyButtonProps {
  readonly label: string
  readonly text: () => string
  /** Show the text itself, as a command. */
  readonly command?: boolean
}

export function CopyButton({ label, text, command }: CopyButtonProps) {
  const [done, setDone] = useState<'copied' | 'not copied'>()
  const copy = async () => {
    setDone((await putOnClipboard(text())) ? 'copied' : 'not copied')
    setTimeout(() => setDone(undefined), 1_500)
  }
  return (
    <button type="button" class={command ? 'copy command' : 'copy'} onClick={copy} aria-label={`Copy ${label}`}>
      {command ? (
        <code>
          <Text text={text()} />
        </code>
      ) : (
        label
      )}
      <span class="done" role="status">
        {done ?? ''}
      </span>
    </button>
  )
}

async function putOnClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Where a page may not use the clipboard otherwise. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'off-screen'
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  return copied
}
