// `--prompt` → the template, named as it is seen from the working directory.
import { relative, resolve } from 'node:path'
import type { Template } from '../prompt/index.js'
import type { Io } from './command.js'

/** Undefined without a file. Rejects as `loadTemplate` does. */
export async function ownTemplate(file: unknown, { cwd }: Io): Promise<Template | undefined> {
  if (typeof file !== 'string') return undefined
  const { loadTemplate } = await import('../prompt/index.js')
  const path = resolve(cwd, file)
  return { ...(await loadTemplate(path)), file: relative(cwd, path) }
}
