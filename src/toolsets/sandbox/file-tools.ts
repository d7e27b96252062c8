// A sandbox → tools for the files of its workspace. Texts go in and out as they are; bytes outside of a replacement are never touched.
import { type Sandbox, SandboxError } from '../../core/sandbox.js'
import type { Tool } from '../../core/tool.js'
import { tool } from '../../tools/define.js'
import { replaceOnce } from '../editor/byte-edits.js'

const path = { type: 'string', description: 'In the workspace, such as src/main.py.' } as const
const content = { type: 'string', description: 'The whole text of the file.' } as const

export function fileTools(sandbox: Sandbox): Tool[] {
  return [
    tool({
      name: 'list_files',
      description: 'Lists a folder of the workspace.',
      returns: 'A line for each entry: folders with a slash, files with their size in bytes.',
      effect: 'none',
      input: object({ path: { type: 'string', description: 'The folder; default the workspace.' } }, []),
      async run({ path = '' }: { readonly path?: string }) {
        const entries = await sandbox.list(path)
        if (entries.length === 0) return 'The folder is empty.'
        return entries
          .map(({ name, kind, size }) =>
            kind === 'folder' ? `${name}/` : kind === 'file' ? `${name} ${size}` : `${name} (${kind})`,
          )
          .join('\n')
      },
    }),
    tool({
      name: 'read_file',
      description: 'Reads a text file, or some lines of it.',
      effect: 'none',
      input: object(
        {
          path,
          from_line: { type: 'integer', minimum: 1, description: 'Default 1.' },
          lines: { type: 'integer', minimum: 1, description: 'How many; default all.' },
        },
        ['path'],
      ),
      run: ({ path, from_line, lines }: { readonly path: string; readonly from_line?: number; readonly lines?: number }) =>
        readText(sandbox, path, from_line, lines),
    }),
    tool({
      name: 'create_file',
      description: 'Makes a new file. Where there is one already it fails: use rewrite_file or str_replace.',
      effect: 'changes',
      input: object({ path, content }, ['path', 'content']),
      async run({ path, content }: { readonly path: string; readonly content: string }) {
        await sandbox.write(path, content, { exclusive: true })
        return `Created ${path}: ${sizeOf(content)}.`
      },
    }),
    tool({
      name: 'rewrite_file',
      description: 'Puts a whole new text in place of that of a file.',
      effect: 'changes',
      idempotent: true,
      input: object({ path, content }, ['path', 'content']),
      async run({ path, content }: { readonly path: string; readonly content: string }) {
        if ((await sandbox.stat(path)) === undefined)
          throw new SandboxError('not_found', `${path} does not exist: use create_file`)
        await sandbox.write(path, content)
        return `Rewrote ${path}: ${sizeOf(content)}.`
      },
    }),
    tool({
      name: 'str_replace',
      description: 'Replaces one piece of text in a file. The old text must stand there exactly once, with all its blanks.',
      effect: 'changes',
      input: object({ path, old: { type: 'string', minLength: 1 }, new: { type: 'string', description: 'May be empty.' } }, [
        'path',
        'old',
        'new',
      ]),
      run: ({ path, old, new: fresh }: { readonly path: string; readonly old: string; readonly new: string }) =>
        replaceText(sandbox, path, old, fresh),
    }),
    tool({
      name: 'delete_file',
      description: 'Deletes a file, or a folder with all that lies in it.',
      effect: 'changes',
      input: object({ path }, ['path']),
      async run({ path }: { readonly path: string }) {
        await sandbox.remove(path, { recursive: true })
        return `Deleted ${path}.`
      },
    }),
  ]
}

function object<P extends Readonly<Record<string, object>>>(properties: P, required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false } as never
}

async function readText(sandbox: Sandbox, path: string, from = 1, count?: number): Promise<string> {
  const bytes = await sandbox.read(path)
  if (bytes.includes(0)) return `[a binary file of ${bytes.length} bytes]`
  const text = new TextDecoder().decode(bytes)
  if (text === '') return '[the file is empty]'
  if (from === 1 && count === undefined) return text
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (from > lines.length) throw new Error(`${path} has ${lines.length} lines`)
  const last = Math.min(lines.length, from - 1 + (count ?? lines.length))
  return `${lines.slice(from - 1, last).join('\n')}\n[lines ${from} to ${last} of ${lines.length}]`
}

async function replaceText(sandbox: Sandbox, path: string, old: string, fresh: string): Promise<string> {
  const { bytes, from } = replaceOnce(Buffer.from(await sandbox.read(path)), old, fresh)
  await sandbox.write(path, bytes)
  return `Replaced the text at line ${from} of ${path}.`
}

function sizeOf(text: string): string {
  return `${Buffer.byteLength(text)} bytes`
}
