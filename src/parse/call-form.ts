// Text → whether it is a call of a registered tool in the form of code, `search("x")`, `search[x]`, with nothing around it but what code writes.
import { readCallArguments } from './call-arguments.js'
import { scanCall } from './json-scan.js'
import { Notes } from './notes.js'
import { bracketBehindName, isRegistered, resolveTool } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

/** It begins like a call and ends in a bracket, whatever stands between. */
export function isCallForm(text: string, box: Toolbox): boolean {
  return bracketOfCall(text, box) > 0 && /[\])}]`{0,3}[.;]?$/.test(text)
}

/** It is one call from beginning to end. */
export function isCallAlone(text: string, box: Toolbox): boolean {
  const end = endOfCall(text, box)
  return end > 0 && end >= text.length - 1
}

/** Where the call ends that the text begins with; -1 when it begins with none, or one that does not close. */
export function endOfCall(text: string, box: Toolbox): number {
  const bracket = bracketOfCall(text, box)
  return bracket > 0 ? scanCall(text, bracket, text.length) : -1
}

/** It is one call from beginning to end, and the tool could take what stands in its brackets. */
export function isFittingCall(text: string, box: Toolbox): boolean {
  const bracket = bracketOfCall(text, box)
  if (bracket <= 0) return false
  const end = scanCall(text, bracket, text.length)
  const shape = resolveTool(text.slice(0, bracket), box)?.shape
  if (end < text.length - 1 || !shape) return false
  const inner = text[bracket] === '{' ? text.slice(bracket, end) : text.slice(bracket + 1, end - 1)
  return readCallArguments(inner, 0, shape, text[bracket] === '[', new Notes()).ok
}

/** Where the bracket opens behind a tool's name at the beginning of the text; -1 when there is none. */
function bracketOfCall(text: string, box: Toolbox): number {
  const start = text.slice(0, 160)
  if (!/[[({]/.test(start)) return -1
  const head =
    /^[`@$!/]{0,3}(?:[\p{L}_]\w{0,30} {0,2}= {0,2})?(?:await |return |print\(){0,2}([\p{L}\p{N}_.-]{1,64})\s{0,2}[[({]/u.exec(
      start,
    )
  if (head && isRegistered(head[1] as string, box)) return head[0].length - 1
  return bracketBehindName(start, box)
}
