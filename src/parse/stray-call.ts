// Text that should hold no call → whether a line of it begins one all the same: leaked markup, an object that names a registered tool, or, in
// prose, its call in the form of code.
import { readJson } from './action-input.js'
import { isFittingCall } from './call-form.js'
import { callsKnown } from './call-object.js'
import type { Grammar } from './grammar.js'
import { BULLET } from './label-lines.js'
import { pythonic } from './native-bodies.js'
import { readNative } from './native-markup.js'
import { isCallMarkup, isNativeAt, isToolElement } from './native-words.js'
import { Notes } from './notes.js'
import { holdsOddLabels } from './odd-labels.js'
import { isRegistered } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

/** A thought holds a call that nobody can read, and that an answer behind it did not wait for. */
export function holdsStep(thought: string, grammar: Grammar, box: Toolbox): boolean {
  return holdsCall(thought, box, true) || (thought.indexOf('\n') >= 0 && holdsOddLabels(thought, grammar, box) === 'step')
}

/**
 * Looks at the lines outside of fences, but for those below a colon: they are what the text is about. `prose`: the text is no code, in which a
 * function may well be named like a tool.
 */
export function holdsCall(text: string, box: Toolbox, prose: boolean): boolean {
  if (box.open || !holdsBracket(text) || !(prose ? MAY_CALL : MAY_OPEN).test(text)) return false
  let fenced = false
  let announced = false
  let looks = 8
  for (let from = 0; from < text.length && looks > 0; ) {
    const newline = text.indexOf('\n', from)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(from, end).trim()
    if (line.startsWith('```')) fenced = !fenced
    else if (prose && !fenced && !announced && CLOSES.test(line.slice(-2)) && !BULLET.test(line) && isFittingCall(line, box))
      return true
    else if (!fenced && !announced && from > 0) {
      const at = from + text.slice(from, end).search(/\S|$/)
      if (isCallMarkup(text, at) || (prose && isToolElement(text, at, box))) return true
      // other markup is told by what it calls
      if (!line.startsWith('[') && isNativeAt(text, at, true, box)) {
        if (callsTool(text, at, box)) return true
        looks--
      }
      if (line.startsWith('{')) {
        const read = readJson(text.slice(at), at, new Notes())
        // one that breaks off is told by the name it begins with
        if (!read.ok && read.code === 'TRUNCATED' && beginsCall(line, box)) return true
        if (read.ok && callsKnown(read.value, box)) return true
        // what does not close was looked at to the end of the text
        if (!read.ok) looks--
      } else if (line.startsWith('[')) {
        const list = pythonic(text, at, box)
        if (!list) looks--
        if (list && text.slice(list.end, end).trim() === '' && list.calls.some(call => isRegistered(call.name, box))) return true
      }
    }
    if (line) announced = /[:：]$/.test(line)
    from = end + 1
  }
  return false
}

/** The markup that begins at `at` calls a registered tool. */
export function callsTool(text: string, at: number, box: Toolbox): boolean {
  return readNative(text, at, text.length, box).calls.some(call => isRegistered(call.name, box))
}

/** No form of a call goes without one of these. */
export function holdsBracket(text: string): boolean {
  return text.indexOf('{') >= 0 || text.indexOf('[') >= 0 || text.indexOf('(') >= 0 || text.indexOf('<') >= 0
}

function beginsCall(line: string, box: Toolbox): boolean {
  const name = /^\{\s{0,8}["'](?:action|tool|name|tool_name|function)["']\s{0,4}:\s{0,4}["']([^"'\n]{1,64})["']/i.exec(
    line.slice(0, 120),
  )?.[1]
  return name !== undefined && isRegistered(name, box)
}

const MAY_OPEN = /\n[ \t]*[{<[]/
const MAY_CALL = /\n[ \t]*[{<[]|[)\]}][.;]?[ \t]*(?:\n|$)/
const CLOSES = /[)\]}][.;]?$/
