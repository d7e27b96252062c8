// Two texts of a file → what changed between them, as a unified diff. The door of diff, which is loaded with the first.
import { once } from '../core/once.js'

const load = once(() => import('diff'))

/** Lines around a change. */
const CONTEXT = 3
/** Texts that differ in more lines take too long to compare well. */
const MOST_EDITS = 2000

/** The changed parts with their `@@` lines; undefined when the texts differ too much to be compared. */
export async function unifiedDiff(before: string, after: string): Promise<string | undefined> {
  const { structuredPatch } = await load()
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS }
  const patch = structuredPatch('a', 'b', before, after, undefined, undefined, options)
  return patch?.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n')
}
