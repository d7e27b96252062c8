// An editor → the tool `str_replace_editor`: files and folders as a model reads them, and edits with what changed and the lines around it.
import { counted } from '../../core/counted.js'
import type { Sandbox } from '../../core/sandbox.js'
import type { Tool } from '../../core/tool.js'
import { tool } from '../../tools/define.js'
import { unifiedDiff } from '../unified-diff.js'
import { linesOf } from './byte-edits.js'
import type { Changed, Editor } from './editor.js'
import { syntaxError } from './syntax-check.js'

const MOST_SHOWN = 16_000
const MOST_ENTRIES = 300
const MOST_DIFF = 4000
/** Lines shown around an edit. */
const AROUND = 4

/** What the tool works on; `folder` is where relative paths begin. */
export interface EditorPlace {
  readonly editor: Editor
  readonly sandbox: Sandbox
  readonly folder: string
}

interface EditorInput {
  readonly command?: 'view' | 'create' | 'str_replace' | 'insert' | 'undo_edit'
  readonly path?: string
  readonly file_text?: string
  readonly old_str?: string
  readonly new_str?: string
  readonly insert_line?: number
  readonly view_range?: readonly number[]
}

export function editorTool(open: () => Promise<EditorPlace>): Tool {
  return tool({
    name: 'str_replace_editor',
    description:
      'Views, makes and edits text files. str_replace puts new_str in place of old_str, which must be in the file exactly once, white space included. insert puts new_str behind line insert_line. undo_edit takes back the last edit of the file.',
    input: {
      type: 'object',
      properties: {
        command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', 'undo_edit'] },
        path: { type: 'string', description: 'A file, or for view a folder too; absolute, or from the working directory' },
        file_text: { type: 'string', description: 'For create: the whole text' },
        old_str: { type: 'string', description: 'For str_replace: the text to replace, with enough lines to be unique' },
        new_str: { type: 'string', description: 'For str_replace and insert: the new text' },
        insert_line: { type: 'integer', description: 'For insert: the line behind which it comes; 0 for the beginning' },
        view_range: {
          type: 'array',
          items: { type: 'integer' },
          description: 'For view: [first, last] line; last -1 for the end',
        },
      },
      required: ['command', 'path'],
      additionalProperties: false,
    },
    effect: 'changes',
    exclusive: true,
    run: async (input: EditorInput) => perform(await open(), input),
  })
}

async function perform(place: EditorPlace, input: EditorInput): Promise<string> {
  const { editor } = place
  const path = await asSpelled(place.sandbox, absolute(input.path ?? '', place.folder))
  switch (input.command) {
    case 'view':
      return view(place, path, input.view_range)
    case 'create':
      return create(place, path, required(input, 'file_text'))
    case 'str_replace':
      return told(place, await editor.replace(path, required(input, 'old_str'), input.new_str ?? ''))
    case 'insert': {
      if (input.insert_line === undefined) throw new Error('insert needs insert_line')
      return told(place, await editor.insert(path, input.insert_line, required(input, 'new_str')))
    }
    case 'undo_edit': {
      const bytes = await editor.undo(path)
      return bytes === undefined
        ? `The file ${path}, which was made by the last edit, is gone again.`
        : `The last edit of ${path} was taken back.`
    }
    default:
      throw new Error('command is one of view, create, str_replace, insert, undo_edit')
  }
}

async function create(place: EditorPlace, path: string, text: string): Promise<string> {
  const made = await place.editor.create(path, text)
  return made === undefined
    ? `The file ${path} is there already, with exactly this text: nothing is left to do.`
    : told(place, made)
}

function required(input: EditorInput, name: 'file_text' | 'old_str' | 'new_str'): string {
  const value = input[name]
  if (value === undefined) throw new Error(`${input.command} needs ${name}`)
  return value
}

function absolute(path: string, folder: string): string {
  return path.startsWith('/') ? path : `${folder}/${path}`
}

/** A model writes é as one character; some systems name a file by two. */
async function asSpelled(sandbox: Sandbox, path: string): Promise<string> {
  const folder = path.slice(0, path.lastIndexOf('/'))
  const name = path.slice(folder.length + 1).normalize()
  if (!/[^\0-\x7F]/.test(name) || (await sandbox.stat(path)) !== undefined) return path
  const entries = await sandbox.list(folder).catch(() => [])
  const alike = entries.filter(entry => entry.name.normalize() === name)
  return alike.length === 1 ? `${folder}/${alike[0]?.name}` : path
}

async function view(place: EditorPlace, path: string, range: readonly number[] | undefined): Promise<string> {
  const entry = await place.sandbox.stat(path)
  if (entry?.kind === 'folder') {
    if (range !== undefined) throw new Error(`${path} is a folder: view_range is for files`)
    return folderText(place.sandbox, path)
  }
  const lines = linesOf(await place.editor.read(path))
  const [from, to, note] = rangeOf(lines.length, range)
  const shown = numbered(lines, from, to)
  if (shown.length <= MOST_SHOWN) return `${shown || '(the file is empty)'}${note}`
  const cut = shown.slice(0, shown.lastIndexOf('\n', MOST_SHOWN) + 1 || MOST_SHOWN)
  return `${cut}[… cut here: the file has ${lines.length} lines; find the place with grep -n, then view it with view_range]\n${outline(path, lines)}`
}

function rangeOf(count: number, range: readonly number[] | undefined): [number, number, string] {
  if (range === undefined) return [1, count, '']
  const [from = 0, to = 0] = range
  if (range.length !== 2) throw new Error('view_range is two numbers: [first, last]')
  if (from < 1 || from > Math.max(count, 1)) throw new Error(`view_range begins at ${from}: the file has lines 1 to ${count}`)
  if (to !== -1 && to < from) throw new Error(`view_range ends at ${to}, before it begins`)
  if (to > count) return [from, count, `\n[the file ends at line ${count}]`]
  return [from, to === -1 ? count : to, '']
}

const DEFINITION =
  /^\s{0,8}(?:export |default |async |pub |static |public |private ){0,4}(?:class|def|function|interface|func|fn|impl|struct|enum|trait|module) /
/** In other files such a line is a comment. */
const HEADING = /^#{1,3} /
const MOST_DEFINED = 150

/** The lines in which something seems to be defined. */
function outline(path: string, lines: readonly string[]): string {
  const sign = /\.(?:md|markdown)$/i.test(path) ? HEADING : DEFINITION
  const found = lines.flatMap((line, index) => (sign.test(line) ? [`${index + 1}: ${line.trim().slice(0, 100)}`] : []))
  return found.length === 0 ? '' : `Definitions:\n${found.slice(0, MOST_DEFINED).join('\n')}`
}

function numbered(lines: readonly string[], from: number, to: number): string {
  return lines
    .slice(from - 1, to)
    .map((line, index) => `${String(from + index).padStart(6)}\t${line}`)
    .join('\n')
}

async function folderText(sandbox: Sandbox, path: string): Promise<string> {
  const found: string[] = []
  const walk = async (folder: string, prefix: string, depth: number): Promise<void> => {
    for (const { name, kind } of await sandbox.list(folder)) {
      if (name.startsWith('.') || found.length > MOST_ENTRIES) continue
      found.push(`${prefix}${name}${kind === 'folder' ? '/' : kind === 'link' ? ' (link)' : ''}`)
      if (kind === 'folder' && depth > 1) await walk(`${folder}/${name}`, `${prefix}${name}/`, depth - 1)
    }
  }
  await walk(path, '', 2)
  const more = found.length > MOST_ENTRIES ? [`[more than ${MOST_ENTRIES} entries: view a folder below]`] : []
  return [`${path}, two levels, hidden files left out:`, ...found.slice(0, MOST_ENTRIES), ...more].join('\n')
}

async function told({ sandbox }: EditorPlace, changed: Changed): Promise<string> {
  const { path, before, bytes, from, to, surprise } = changed
  const lines = linesOf(bytes)
  const error = await syntaxError(sandbox, path, bytes)
  const diff = before && (await unifiedDiff(before.toString('utf8'), bytes.toString('utf8')))
  const shown = numbered(lines, Math.max(1, from - AROUND), Math.min(lines.length, to + AROUND))
  return [
    before === undefined ? `The file ${path} was made, with ${counted(lines.length, 'line')}.` : `The file ${path} was edited.`,
    ...(surprise ? ['[it had been changed by something else since it was viewed]'] : []),
    ...(diff ? [diff.length > MOST_DIFF ? `${diff.slice(0, MOST_DIFF)}\n[…]` : diff] : []),
    ...(before === undefined ? [] : [`It now reads:\n${shown.slice(0, MOST_DIFF)}`]),
    ...after(before, error),
  ].join('\n')
}

/** A new file holds what it was given; where an edit has gone to, only a look shows. */
function after(before: Uint8Array | undefined, error: string | undefined): readonly string[] {
  if (error !== undefined) return ['[the file has a syntax error now; mend it, or take the edit back with undo_edit]', error]
  return before === undefined ? [] : ['Review the changes; edit again where necessary.']
}
