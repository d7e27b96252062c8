// Cleaned reply text → marks: where labels, call objects and leaked markup begin. The text between two marks is the value of the first.
// Lossless and linear: one pass over the lines; what stands in fences, JSON strings and comments is skipped, with a budget for false starts.

import { closesOnLine, isFence, lineEndsWith, onlyTicks, ticksAt } from './fence-line.js'
import { scanJson } from './json-scan.js'
import { type Dress, foldWord, type Grammar, type LabelMatch, matchLabel, skipBlank } from './labels.js'
import { findLookalike } from './lookalike.js'
import { isProtocol, type Lexed, type Mark } from './marks.js'
import { labelBefore, type MidlineLabel } from './midline.js'
import { readNative } from './native-markup.js'
import { isCallMarkup, isNativeAt } from './native-words.js'
import { SHORT, unwrapProtocol } from './protocol-fence.js'
import { findStopWord, isBareObservation } from './stop-word.js'
import { readToolCode } from './tool-code.js'
import { resolveTool } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

interface Rules {
  readonly bullets: boolean
  readonly dresses: ReadonlySet<Dress>
}

/** Finds all marks. */
export function lex(reply: string, grammar: Grammar, box: Toolbox): Lexed {
  const { text, fence } = unwrapProtocol(reply, grammar)
  const lexer = new Lexer(text, grammar, box, fence)
  const first = lexer.run({ bullets: false, dresses: NO_DRESS })
  const protocol = first.marks.some(mark => isProtocol(mark.role) && !mark.midline)
  const bullets = !protocol && lexer.bulleted > 0
  const dresses = new Set<Dress>()
  const mixed = first.marks.some(mark => isProtocol(mark.role) && mark.match?.dress === 'plain')
  for (const [dress, count] of mixed ? [] : lexer.dressed) if (count.bare > 0 && count.all > 1) dresses.add(dress)
  return withoutHeading(bullets || dresses.size > 0 ? lexer.run({ bullets, dresses }) : first)
}

/** `### Response:` alone on its line before any other label is the prompt's own heading. */
function withoutHeading(lexed: Lexed): Lexed {
  const [first, next] = lexed.marks
  if (first?.role !== 'answer' || first.match?.dress !== 'heading' || first.match.key !== 'response') return lexed
  const { text } = lexed
  if (
    text.slice(lexed.from, first.start).trim() ||
    (!text
      .slice(first.value, next?.start ?? lexed.to)
      .trimEnd()
      .startsWith('\n') &&
      next === undefined)
  )
    return lexed
  const newline = text.indexOf('\n', first.value)
  if (newline < 0 || text.slice(first.value, newline).trim()) return lexed
  return { ...lexed, from: first.value, marks: lexed.marks.slice(1) }
}

class Lexer {
  readonly #text: string
  readonly #grammar: Grammar
  readonly #box: Toolbox
  readonly #wrapper: Lexed['wrapper']
  /** Labels behind a bullet that were not taken. */
  bulleted = 0
  /** By dress: labels without a colon, and all labels. */
  readonly dressed = new Map<Dress, { bare: number; all: number }>()
  #budget = 0
  #unclosedAt = -1

  constructor(text: string, grammar: Grammar, box: Toolbox, wrapper: Lexed['wrapper']) {
    this.#text = text
    this.#wrapper = wrapper
    this.#grammar = grammar
    this.#box = box
  }

  run(rules: Rules, strayFence = -1): Lexed {
    const text = this.#text
    this.bulleted = 0
    this.dressed.clear()
    this.#budget = 8
    const marks: Mark[] = []
    const observations: MidlineLabel[] = []
    const strays: MidlineLabel[] = []
    let from = 0
    let to = text.length
    if (text.charCodeAt(0) === 0xfeff) from = 1
    if (this.#wrapper && !text.slice(0, this.#wrapper[0]).trim()) from = this.#wrapper[1]
    const stopWord = findStopWord(text, from, to, this.#grammar)
    if (stopWord) to = stopWord[0]
    let current: Mark['role'] | 'none' = 'none'
    let fence: { mark: string; start: number; content: number; label: boolean; object?: number } | undefined
    let fencedAction: readonly [number, number] | undefined
    let begun = false
    let comment = -1
    let commentEnd = -1
    const lastComment = text.lastIndexOf('-->')
    // a comment that opens on the line and closes somewhere: where it begins
    const commentOn = (position: number, end: number): number => {
      if (comment < position && comment !== NEVER) comment = orNever(text.indexOf('<!--', position))
      if (comment >= end) return end
      const close = comment < lastComment ? text.indexOf('-->', comment) : -1
      if (close < 0) return end
      if (close > end) commentEnd = close
      return comment
    }
    const isLabelLine = (position: number): boolean => {
      const found = matchLabel(text, position, this.#lineEnd(position, to), this.#grammar)
      return found?.colon === true && !found.bullet && isProtocol(found.role)
    }
    let position = from
    while (position < to) {
      const end = this.#lineEnd(position, to)
      const next = end < to && text[end] === '\n' ? end + 1 : Math.max(end, position + 1)
      const inner = skipBlank(text, position, end)
      if (fence) {
        if (text.startsWith(fence.mark, inner) && onlyTicks(text, inner, end, fence.mark.charAt(0))) fence = undefined
        else if (!fence.label && !fencedAction) {
          const shown = matchLabel(text, position, end, this.#grammar)
          if (shown?.colon && (shown.role === 'action' || (shown.role === 'answer' && !SHORT.has(shown.key))))
            fencedAction = [fence.start, end]
        }
        position = next
        continue
      }
      if (position < commentEnd) {
        position = next
        continue
      }
      let at = position
      const found = matchLabel(text, position, end, this.#grammar)
      let accepted: LabelMatch | undefined
      if (found) {
        if (isProtocol(found.role) && found.dress !== 'plain') {
          const count = this.dressed.get(found.dress) ?? { bare: 0, all: 0 }
          count.all++
          if (!found.colon) count.bare++
          this.dressed.set(found.dress, count)
        }
        const inCode = found.open.startsWith('`') && !lineEndsWith(text, end, '`')
        if (inCode) accepted = undefined
        else if (found.bullet && !rules.bullets) {
          if (isProtocol(found.role)) this.bulleted++
        } else if (
          found.colon ||
          rules.dresses.has(found.dress) ||
          (found.dress === 'heading' && found.key.startsWith('instruction'))
        )
          accepted = found
      }
      if (accepted) {
        const role = accepted.role
        marks.push({ role, start: position, value: accepted.value, end: accepted.value, midline: false, match: accepted })
        if (role === 'speaker' && isLabelLine(skipBlank(text, accepted.value, end))) {
          current = 'thought'
          position = skipBlank(text, accepted.value, end)
          continue
        }
        const opening =
          role === 'thought' || role === 'observation' || role === 'result' || role === 'turn'
            ? undefined
            : this.#valueStart(accepted.value, end, to)
        if (isProtocol(role)) begun = true
        if (role === 'turn' && !begun) current = 'none'
        else if (isProtocol(role) || role === 'weak_input' || role === 'tool' || role === 'turn') current = role
        else if (role === 'speaker') current = 'thought'
        at = accepted.value
        if (role === 'thought') {
          const first = skipBlank(text, at, end)
          if (isFence(text, first) && !closesOnLine(text, first, end)) {
            fence = { mark: ticksAt(text, first), start: first, content: next, label: true }
            position = next
            continue
          }
        }
        if (opening !== undefined) {
          const skipped = this.#skipValue(opening, role, to, isLabelLine, marks)
          if (skipped.fence) {
            fence = { mark: skipped.fence, start: opening, content: skipped.end, label: true }
            position = skipped.end
            continue
          }
          if (skipped.end > end) {
            // the value went over its line: go on behind it
            at = skipped.end
            const rest = this.#lineEnd(at, to)
            this.#midline(at, rest, role, marks, observations, strays)
            position = rest < to ? rest + 1 : rest
            continue
          }
          if (skipped.end > at) at = skipped.end
        }
        const went = this.#midline(at, role === 'thought' ? commentOn(position, end) : end, role, marks, observations, strays)
        if (went) current = went
        position = next
        continue
      }
      if (isFence(text, inner) && inner !== strayFence) {
        if (!closesOnLine(text, inner, end)) {
          const content = next
          fence = { mark: ticksAt(text, inner), start: inner, content, label: false }
          if (current === 'none' || current === 'thought') {
            const code = text.slice(inner, end).toLowerCase()
            const object = this.#objectAt(skipBlank(text, content, to), to, isLabelLine)
            const native = object < 0 ? skipBlank(text, content, to) : -1
            if (object >= 0) {
              const start = skipBlank(text, content, to)
              marks.push({ role: 'object', start: position, value: start, end: object, midline: false, fenced: true })
              position = Math.max(next, this.#lineEnd(object, to) + (text[object] === '\n' ? 1 : 0))
              if (position > to) position = to
              // the closing fence may stand right behind the object
              if (text.slice(object, this.#lineEnd(object, to)).includes(fence.mark)) fence = undefined
              continue
            }
            if (
              code.includes('tool_code') ||
              code.includes('tool_call') ||
              (native < to && isNativeAt(text, native, true, this.#box) && this.#aloneInFence(inner, to, fence.mark))
            ) {
              const reading = code.includes('tool_code')
                ? readToolCode(text, native, to, fence.mark, this.#box)
                : readNative(text, native, to, this.#box, isLabelLine)
              marks.push({
                role: 'native',
                start: position,
                value: native,
                end: reading.end,
                midline: false,
                native: reading,
                fenced: true,
              })
              current = 'native'
              position = Math.max(next, reading.end)
              fence = undefined
              continue
            }
          }
        }
        position = next
        continue
      }
      const hidden = commentOn(position, end)
      if (current === 'none' || current === 'thought') {
        const object = text[inner] === '{' || text[inner] === '[' ? this.#objectAt(inner, to, isLabelLine) : -1
        if (object >= 0) {
          marks.push({ role: 'object', start: position, value: inner, end: object, midline: false })
          position = object
          continue
        }
        if (this.#finishAt(inner, end)) {
          marks.push({ role: 'action', start: position, value: inner, end: inner, midline: false })
          current = 'action'
          position = next
          continue
        }
        const native = this.#nativeIn(inner, end)
        if (native >= 0) {
          const reading = readNative(text, native, to, this.#box, isLabelLine)
          marks.push({ role: 'native', start: native, value: native, end: reading.end, midline: native > inner, native: reading })
          current = 'native'
          position = Math.max(native + 1, reading.end)
          if (text[position] === '\n') position++
          continue
        }
      }
      if (current !== 'none' && current !== 'thought' && isBareObservation(text, this.#grammar, position, end, to, isLabelLine)) {
        marks.push({ role: 'observation', start: position, value: end, end, midline: false })
        current = 'observation'
        position = next
        continue
      }
      if (current === 'answer' && isCallMarkup(text, inner)) {
        const reading = readNative(text, inner, to, this.#box, isLabelLine)
        if (reading.open || reading.calls.some(call => this.#isTool(call.name))) {
          marks.push({ role: 'native', start: position, value: inner, end: reading.end, midline: false, native: reading })
        }
        position = Math.max(next, this.#lineEnd(reading.end, to) + 1)
        continue
      }
      const like = findLookalike(text, position, end, this.#grammar)
      if (like) {
        marks.push({ role: 'lookalike', start: like.at, value: like.at, end: like.at, midline: false, like: like.role })
        position = next
        continue
      }
      const went = this.#midline(inner, hidden, current, marks, observations, strays)
      if (went) current = went
      position = next
    }
    // repair: a bare fence in an input that closes nothing hides no labels
    if (
      fence &&
      !fence.label &&
      current === 'input' &&
      strayFence < 0 &&
      onlyTicks(text, fence.start, this.#lineEnd(fence.start, to), '`')
    )
      return this.run(rules, fence.start)
    return {
      text,
      from,
      to,
      marks,
      observations,
      strays,
      fencedAction,
      wrapper: this.#wrapper,
      stopWord,
      openFence: fence ? fence.start : -1,
    }
  }

  #lineEnd(position: number, to: number): number {
    const end = this.#text.indexOf('\n', position)
    return end < 0 || end > to ? to : end
  }

  /** The first character of a value: on the label's line, or on the next line that is not blank and no label. */
  #valueStart(value: number, end: number, to: number): number | undefined {
    const at = skipBlank(this.#text, value, to)
    if (at >= to) return undefined
    if (at < end) return at
    const lineStart = this.#text.lastIndexOf('\n', at - 1) + 1
    return matchLabel(this.#text, lineStart, this.#lineEnd(at, to), this.#grammar)?.colon ? undefined : at
  }

  /** Goes over JSON, a call's brackets or a fence at the beginning of a value. */
  #skipValue(
    at: number,
    role: Mark['role'],
    to: number,
    isLabelLine: (position: number) => boolean,
    marks: Mark[],
  ): { end: number; fence?: string } {
    const text = this.#text
    if (isFence(text, at)) {
      const end = this.#lineEnd(at, to)
      const mark = ticksAt(text, at)
      if (closesOnLine(text, at, end)) return { end: text.indexOf(mark, at + mark.length) + mark.length }
      const content = skipBlank(text, end, to)
      if (text[content] === '{' || text[content] === '[') {
        const json = this.#scan(content, to, isLabelLine)
        if (json >= 0) {
          const after = skipBlank(text, json, to)
          return { end: text.startsWith(mark, after) ? after + mark.length : json }
        }
      }
      return { end: Math.min(to, end + 1), fence: mark }
    }
    if (role === 'speaker') {
      const object = this.#objectAt(at, to, isLabelLine)
      if (object < 0) return { end: at }
      marks.push({ role: 'object', start: at, value: at, end: object, midline: false })
      return { end: object }
    }
    if (text[at] === '{' || text[at] === '[' || text[at] === '｛') {
      const json = this.#scan(at, to, isLabelLine)
      return { end: json < 0 ? at : json }
    }
    if (role === 'action') {
      const end = this.#lineEnd(at, to)
      for (let i = at; i < end; i++) {
        const char = text[i] as string
        if (char === '(' || char === '[' || char === '{') {
          const close = this.#scan(i, to, isLabelLine)
          return { end: close < 0 ? at : close }
        }
        if (char === ':' || char === '：') break
      }
    }
    return { end: at }
  }

  /** The end of the JSON at `at`; -1 when it does not close. False starts are counted, so that the whole stays linear. */
  #scan(at: number, to: number, isLabelLine: (position: number) => boolean): number {
    this.#unclosedAt = -1
    if (this.#budget <= 0) return -1
    const found = scanJson(this.#text, at, to, isLabelLine)
    if (!found.closed) this.#budget--
    this.#unclosedAt = found.closed ? -1 : found.end
    return found.closed ? found.end : -1
  }

  /** The end of an object, or list of objects, that begins at `at`. */
  #objectAt(at: number, to: number, isLabelLine: (position: number) => boolean): number {
    const text = this.#text
    const char = text[at]
    if (char !== '{' && !(char === '[' && text[skipBlank(text, at + 1, to)] === '{')) return -1
    const inner = char === '[' ? skipBlank(text, at + 1, to) : at
    const next = text[skipBlank(text, inner + 1, to)]
    if (next === undefined || !/["'“\w]/.test(next)) return -1
    const end = this.#scan(at, to, isLabelLine)
    // one that breaks off at the end of the text is still an object
    return end < 0 && this.#unclosedAt === to ? to : end
  }

  /** `Finish[…]` at a line start needs no label. */
  #finishAt(inner: number, end: number): boolean {
    const head = /^[*`]{0,3}(\p{L}[\p{L} _-]{0,30})[[(]/u.exec(this.#text.slice(inner, Math.min(end, inner + 40)))
    const word = head?.[1]
    return (
      word !== undefined &&
      !word.endsWith(' ') &&
      this.#grammar.finish.has(foldWord(word)) &&
      (this.#box.open || resolveTool(word, this.#box) === undefined)
    )
  }

  #nativeIn(inner: number, end: number): number {
    const text = this.#text
    if (isNativeAt(text, inner, true, this.#box)) return inner
    let ticks = 0
    for (let i = inner; i < end; i++) {
      const code = text.charCodeAt(i)
      if (code === 96) ticks++
      else if (
        (code === 60 || code === 91) &&
        i > inner &&
        ticks % 2 === 0 &&
        !'"\'“'.includes(text[i - 1] as string) &&
        isNativeAt(text, i, false, this.#box)
      )
        return i
    }
    return -1
  }

  /** Labels within a line. Gives the role that the rest of the line belongs to, when that changed. */
  #midline(
    from: number,
    end: number,
    role: Mark['role'] | 'none',
    marks: Mark[],
    observations: MidlineLabel[],
    strays: MidlineLabel[],
  ): Mark['role'] | undefined {
    let current = role
    for (let i = from; i < end; i++) {
      const code = this.#text.charCodeAt(i)
      if (code !== 58 && !(code > 127 && '：﹕∶'.includes(this.#text[i] as string))) continue
      const label = labelBefore(this.#text, i, from, this.#grammar)
      if (!label) continue
      if (label.role === 'observation') observations.push(label)
      else if (label.role === 'input' && (current === 'action' || current === 'tool')) {
        marks.push({ role: 'input', start: label.start, value: label.value, end: label.value, midline: true })
        current = 'input'
      } else if (label.role === 'action' && this.#actionFollows(label.value, end)) {
        if (current === 'none' || current === 'thought' || current === 'observation' || current === 'turn') {
          marks.push({ role: 'action', start: label.start, value: label.value, end: label.value, midline: true })
          current = 'action'
        } else strays.push(label)
      } else if (label.role === 'input' && (current === 'none' || current === 'thought')) strays.push(label)
      else if ((label.role === 'thought' || label.role === 'answer') && current === 'answer') strays.push(label)
    }
    return current === role || current === 'none' ? undefined : current
  }

  /** A registered tool's name with an input stands at `at`. */
  #actionFollows(at: number, end: number): boolean {
    const text = this.#text
    const from = skipBlank(text, at, end)
    const rest = text.slice(from, Math.min(end, from + 400))
    const bracket = rest.search(/[[({]/)
    for (let i = from; i < Math.min(end, from + 200); i++) {
      if (text[i] !== ':' && text[i] !== '：') continue
      const label = labelBefore(this.#text, i, from, this.#grammar)
      if (label?.role !== 'input') break
      return this.#isTool(text.slice(from, label.start))
    }
    if (bracket > 0 && this.#isTool(rest.slice(0, bracket))) return true
    if (!this.#isTool(rest)) return false
    const after = skipBlank(text, end, text.length)
    const lineStart = text.lastIndexOf('\n', after - 1) + 1
    return matchLabel(text, lineStart, this.#lineEnd(after, text.length), this.#grammar)?.role === 'input'
  }

  #isTool(name: string): boolean {
    return !this.#box.open && resolveTool(name, this.#box) !== undefined
  }

  /** Nothing but the fence that opens at `inner` stands in the reply. */
  #aloneInFence(inner: number, to: number, mark: string): boolean {
    const text = this.#text
    if (text.slice(0, inner).trim() !== '') {
      const close = text.indexOf(`\n${mark}`, inner)
      return close < 0 || text.slice(close + 1 + mark.length, to).trim() === ''
    }
    return true
  }
}

function orNever(at: number): number {
  return at < 0 ? NEVER : at
}

const NEVER = Number.POSITIVE_INFINITY
const NO_DRESS: ReadonlySet<Dress> = new Set()
