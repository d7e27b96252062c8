// A text → the same text as a person left it in the editor of their choice. The text lies in a file that nobody else may read, and is gone afterwards.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SaydoError } from '../../core/errors.js'
import { runEditor } from '../../toolsets/run-editor.js'
import type { Io } from '../command.js'

/** Rejects with `CONFIG` when no editor is set, or it fails. Line breaks that an editor alone puts there (CRLF, one at the end) are left out. */
export async function editText(text: string, name: string, io: Io): Promise<string> {
  const editor = io.env.VISUAL || io.env.EDITOR
  if (!editor)
    throw new SaydoError('CONFIG', 'no editor is set', {
      hint: 'set VISUAL or EDITOR, such as export EDITOR=nano, and start again',
    })
  const folder = mkdtempSync(join(tmpdir(), 'saydo-edit-'))
  const file = join(folder, name)
  try {
    writeFileSync(file, text, { mode: 0o600 })
    // where it is no terminal, stdin holds what comes next in the chat
    const fault = await runEditor(editor, file, { keyboard: io.stdin.isTTY === true, env: io.env, cwd: io.cwd })
    if (fault !== undefined)
      throw new SaydoError('CONFIG', `${editor} ${fault}: nothing is changed`, { hint: 'see what VISUAL or EDITOR is set to' })
    const read = readFileSync(file, 'utf8')
    const edited = text.includes('\r') ? read : read.replaceAll('\r\n', '\n')
    return edited.endsWith('\n') && !text.endsWith('\n') ? edited.slice(0, -1) : edited
  } catch (error) {
    if (error instanceof SaydoError) throw error
    throw new SaydoError('CONFIG', `the text can't be edited: ${(error as Error).message}`, { cause: error })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
