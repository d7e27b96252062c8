// What servers give besides text → files in one folder, which is made for the first of them, each under a name of its own.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SaveFile } from './result.js'

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/gzip': 'gz',
  'text/plain': 'txt',
}

/** `folder` default: a new one among the temporary files. It stays: an answer may name what lies in it. */
export function fileSaver(folder?: string): SaveFile {
  let place: Promise<string> | undefined
  let count = 0
  const make = async (): Promise<string> => {
    if (folder === undefined) return mkdtemp(join(tmpdir(), 'saydo-mcp-'))
    await mkdir(folder, { recursive: true })
    return folder
  }
  return async (bytes, mimeType) => {
    place ??= make()
    count += 1
    const name = `${Date.now().toString(36)}-${count}.${Object.hasOwn(ENDINGS, mimeType) ? ENDINGS[mimeType] : 'bin'}`
    const path = join(await place, name)
    await writeFile(path, bytes, { flag: 'wx' })
    return path
  }
}
