// Characters of a reply as they come → the thought, input and answer text that is certain already. Knows only clean replies: at the first
// thing it is not sure of it falls silent, and the end of the reply gives the rest. One state step per character, whatever the chunking.
import type { Delta } from '../core/reply.js'
import { isTokenAt, mayBecomeToken } from './clean.js'
import { foldWord, type Grammar, isSpace, matchLabel } from './labels.js'
import { CALL_MARKUP } from './native-words.js'
import { skeleton } from './skeleton.js'

type Mode = 'start' | 'thought' | 'action' | 'input' | 'answer' | 'silent'
type Channel = Delta['channel']

export class DeltaScanner {
  readonly #grammar: Grammar
  readonly #keys: readonly string[]
  readonly #midline: readonly string[]
  readonly #turns: readonly string[]
  readonly #midlineFirst: ReadonlySet<string>
  #mode: Mode = 'start'
  /** The beginning of the line, while it may still become a label; undefined in the rest of the line. */
  #head: string | undefined = ''
  /** White space that is only given out when text follows. */
  #space = ''
  #spaces: string[] = []
  #breaks = 0
  /** The end of what came, while it may still become a token or a label. */
  /** The role whose label was just read: the same label again right behind it counts once. */
  #after = ''
  #tail = ''
  #before = ' '
  /** Characters since a sentence ended: right behind it an invented turn may begin. */
  #sinceSentence = FAR
  /** A carriage return came; a line feed must follow. */
  #returned = false
  #started = false
  #recent = ''
  #position = 0
  #suspect = -1
  readonly #pending: Delta[] = []
  #buffer: string[] = []
  readonly emitted: Record<Channel, string[]> = { thought: [], input: [], answer: [] }

  constructor(grammar: Grammar) {
    this.#grammar = grammar
    this.#keys = [...grammar.roles.keys()]
    this.#turns = [...grammar.roles].filter(([, role]) => role === 'turn').map(([key]) => key)
    this.#midline = [...grammar.midline.keys()]
    this.#midlineFirst = new Set([...this.#midline, ...this.#turns].map(key => key.charAt(0)))
  }

  /** Where an observation began behind an action, once; -1 otherwise. */
  takeSuspect(): number {
    const at = this.#suspect
    this.#suspect = -1
    return at
  }

  /** Nothing more will come out of it before the end. */
  get silent(): boolean {
    return this.#mode === 'silent'
  }

  push(chunk: string): readonly Delta[] {
    if (this.#mode === 'silent') return NOTHING
    for (let i = 0; i < chunk.length; i++) {
      if (this.silent) break
      this.#position++
      if (this.#position === 1 && chunk[i] === BYTE_ORDER_MARK) continue
      this.#feed(chunk[i] as string)
    }
    this.#flushBuffer()
    if (this.#pending.length === 0) return NOTHING
    return this.#pending.splice(0)
  }

  #feed(char: string): void {
    if (this.#head !== undefined) {
      if (char === '\n') this.#endHead()
      else {
        this.#head += char
        this.#checkHead()
      }
      return
    }
    if (char === '\n') {
      this.#returned = false
      this.#releaseTail()
      if (this.#mode === 'silent') return
      this.#blank('\n')
      this.#head = ''
      return
    }
    this.#body(char)
  }

  /** A line ended before its beginning was decided: it is blank, or text, or a label without a colon. */
  #endHead(): void {
    const head = this.#head as string
    if (head.trim() === '') {
      this.#after = ''
      this.#blank(head)
      this.#blank('\n')
      this.#head = ''
      return
    }
    const match = this.#after ? undefined : matchLabel(head, 0, head.length, this.#grammar)
    this.#after = ''
    if (match || this.#mode === 'start') {
      this.#silence()
      return
    }
    this.#head = undefined
    for (const char of head) this.#body(char)
    this.#returned = false
    if (this.#mode === 'silent') return
    this.#releaseTail()
    this.#blank('\n')
    this.#head = ''
  }

  #checkHead(): void {
    const head = this.#head as string
    const last = head.charAt(head.length - 1)
    if (this.#after && COLONS.includes(last)) {
      const match = matchLabel(head, 0, head.length, this.#grammar)
      if (match?.role === this.#after && match.colon) {
        if (match.dress !== 'plain' || match.bullet) this.#silence()
        else this.#head = ''
        return
      }
    } else if (COLONS.includes(last)) {
      const match = matchLabel(head, 0, head.length, this.#grammar)
      if (match?.colon) {
        // a heading for the answer may be the prompt's own
        const heading = match.role === 'answer' && match.dress === 'heading'
        this.#label(match.role, match.bullet || match.open !== '' || match.doubled || heading, head)
        return
      }
      const like = skeleton(head)
      if (like !== undefined && matchLabel(like, 0, like.length, this.#grammar)?.colon) {
        this.#silence()
        return
      }
    }
    if (this.#mode === 'thought' && '[('.includes(last) && this.#grammar.finish.has(foldWord(head))) {
      this.#silence()
      return
    }
    if (this.#mayBecomeLabel(head)) return
    if (this.#mode === 'start' || this.#mode === 'action') {
      // an unlabelled reply is one delta at the end
      if (this.#mode === 'start') this.#silence()
      else this.#head = undefined
      return
    }
    const first = head.trimStart().charAt(0)
    if (!this.#after && this.#mode === 'thought' && '{[<`~>'.includes(first)) {
      this.#silence()
      return
    }
    this.#after = ''
    this.#head = undefined
    for (const one of head) {
      if (this.#mode === ('silent' as Mode)) return
      this.#body(one)
    }
  }

  #label(role: string, odd: boolean, head: string): void {
    const mode = this.#mode
    if (odd) this.#silence()
    else if (role === 'thought' && (mode === 'start' || mode === 'thought')) this.#enter('thought')
    else if (role === 'answer' && (mode === 'start' || mode === 'thought')) this.#enter('answer')
    else if (role === 'action' && (mode === 'start' || mode === 'thought')) this.#enter('action')
    else if (role === 'input' && mode === 'action') this.#enter('input')
    else {
      if (role === 'observation' && (mode === 'input' || mode === 'action')) this.#suspect = this.#position
      if (mode === 'answer' && (role === 'result' || role === 'weak_input')) {
        this.#head = undefined
        for (const one of head) this.#body(one)
        return
      }
      this.#silence()
    }
  }

  #enter(mode: Mode): void {
    const again = mode === 'thought' && this.#started
    this.#flushBuffer()
    this.#mode = mode
    this.#after = mode === 'action' ? '' : mode
    this.#head = mode === 'action' ? undefined : ''
    this.#space = ''
    this.#spaces = []
    this.#breaks = 0
    this.#tail = ''
    this.#before = ' '
    this.#started = false
    if (again) {
      this.#started = true
      this.#space = '\n'
    }
  }

  #silence(): void {
    this.#flushBuffer()
    this.#mode = 'silent'
    this.#head = undefined
    this.#tail = ''
  }

  #blank(text: string): void {
    if (!this.#started && this.#space === '') {
      if (text.includes('\n')) this.#breaks++
      return
    }
    if (text) this.#spaces.push(text)
    if (text.includes('\n')) this.#breaks++
  }

  /** One character within a line whose beginning is decided. */
  #body(char: string): void {
    // what breaks a line on somebody's screen may hide a label behind it
    if (this.#returned || '\u000b\u000c\u0085\u2028\u2029'.includes(char)) {
      this.#silence()
      return
    }
    this.#returned = char === '\r'
    if (this.#mode === 'action' || this.#mode === 'silent') {
      if (this.#mode === 'action' && !isSpace(char.charCodeAt(0)) && '([{<:'.includes(char)) this.#silence()
      return
    }
    if (this.#tail !== '' || this.#opensTail(char)) {
      this.#tail += char
      this.#checkTail()
      return
    }
    this.#out(char)
  }

  #opensTail(char: string): boolean {
    if (char === '<' || char === '[' || char === '◁') return true
    const lower = char.toLowerCase()
    if (!this.#midlineFirst.has(lower)) return false
    const inWord = /[\p{L}\p{N}_]/u.test(this.#before)
    return !inWord || char !== lower || char > '~'
  }

  #checkTail(): void {
    while (this.#tail !== '') {
      const tail = this.#tail
      const first = tail.charAt(0)
      if (first === '<' || first === '[' || first === '◁') {
        if (
          isTokenAt(tail, 0) ||
          CALL_MARKUP.includes(tail) ||
          (this.#mode === 'thought' && first === '<' && /^<[a-z!|/｜]/i.test(tail))
        ) {
          this.#silence()
          return
        }
        if (mayBecomeToken(tail, 0) || CALL_MARKUP.some(word => word.startsWith(tail))) return
      } else {
        const last = tail.charAt(tail.length - 1)
        if (COLONS.includes(last)) {
          const word = foldWord(tail.replace(/[\d\s:：﹕∶*#]+$/, ''))
          const role = this.#grammar.midline.get(word)
          if (this.#mayTurn() && this.#grammar.roles.get(word) === 'turn') {
            this.#silence()
            return
          }
          if (role && !(this.#mode === 'thought' && (role === 'observation' || role === 'thought' || role === 'answer'))) {
            this.#silence()
            return
          }
        } else if (this.#startsMidline(tail)) return
      }
      // no label begins here: give out one character and look at the rest
      this.#out(first)
      if (this.#mode === 'silent') return
      let rest = tail.slice(1)
      while (rest !== '' && !this.#opensTail(rest.charAt(0))) {
        this.#out(rest.charAt(0))
        rest = rest.slice(1)
      }
      this.#tail = rest
    }
  }

  #releaseTail(): void {
    const tail = this.#tail
    this.#tail = ''
    for (const char of tail) {
      if (this.#mode === 'silent') return
      this.#out(char)
    }
  }

  #startsMidline(tail: string): boolean {
    if (tail.length > 40) return false
    const fold = foldWord(tail)
    if (fold === '') return false
    const bare = fold.replace(/\d+$/, '')
    for (const key of this.#midline) if (key.startsWith(fold) || key === bare) return true
    if (this.#mayTurn()) for (const key of this.#turns) if (key.startsWith(fold) || key === bare) return true
    return false
  }

  #mayTurn(): boolean {
    return this.#mode === 'answer' && this.#sinceSentence <= 8
  }

  #mayBecomeLabel(head: string): boolean {
    if (head.length > 64) return false
    const like = skeleton(head)
    return this.#startsLabel(head) || (like !== undefined && this.#startsLabel(like))
  }

  #startsLabel(text: string): boolean {
    const bare = text.replace(/^[\s*#>`_~•+–-]{0,24}(?:\d{1,3}[.)]\s)?[\s*_`]{0,6}/, '')
    if (bare === '') return true
    if (/^\d{1,3}[.)]?$/.test(bare)) return true
    const fold = foldWord(bare).replace(/(?<=\D)\d+$/, '')
    if (fold === '' || fold.startsWith('step') || 'step'.startsWith(fold)) return true
    if (fold.startsWith('result') || 'results'.startsWith(fold)) return /^[\w\s]*$/.test(bare) && bare.length < 48
    for (const key of this.#keys) if (key.startsWith(fold)) return !/[.,;!?()"]/.test(bare)
    if (this.#mode === 'thought')
      for (const word of this.#grammar.finish) if (word.startsWith(fold) && !/[[(]/.test(bare)) return true
    if (this.#mode === 'thought')
      for (const word of MARKUP) if (word.startsWith(fold) || fold.startsWith(word)) return false || this.#markup(bare, word)
    return false
  }

  /** A line that may become leaked markup is not given out. */
  #markup(bare: string, word: string): boolean {
    if (bare.length > 12 && foldWord(bare).startsWith(word)) {
      this.#silence()
      return true
    }
    return true
  }

  #out(char: string): void {
    const code = char.charCodeAt(0)
    this.#before = char
    this.#sinceSentence = SENTENCE_ENDS.includes(char) ? 0 : this.#sinceSentence + 1
    if (isSpace(code)) {
      if (this.#started) this.#spaces.push(char)
      return
    }
    if (!this.#started) {
      if ((this.#mode === 'answer' && '{["<(`“*'.includes(char)) || (this.#mode === 'thought' && '`~'.includes(char))) {
        this.#silence()
        return
      }
      this.#started = true
    } else if (this.#mode === 'thought' && this.#breaks > 1) {
      // below a blank line the answer may begin
      this.#silence()
      return
    }
    if (this.#mode === 'thought') {
      this.#recent = (this.#recent + char).slice(-5).toLowerCase()
      if (char === '?' && /tools?\?$/.test(this.#recent)) {
        this.#silence()
        return
      }
    }
    this.#breaks = 0
    if (this.#space) {
      this.#buffer.push(this.#space)
      this.#space = ''
      this.#spaces = []
    }
    if (this.#spaces.length > 0) {
      this.#buffer.push(...(this.#spaces.length < 1000 ? this.#spaces : [this.#spaces.join('')]))
      this.#spaces = []
    }
    this.#buffer.push(char)
  }

  #flushBuffer(): void {
    if (this.#buffer.length === 0) return
    const channel = this.#mode as Channel
    const text = this.#buffer.join('')
    this.#buffer = []
    this.emitted[channel].push(text)
    this.#pending.push({ channel, text })
  }
}

const COLONS = ':：﹕∶'
const SENTENCE_ENDS = '.!?…。！？'
const FAR = 1000
const BYTE_ORDER_MARK = '\ufeff'
const MARKUP = ['functions', 'functools', 'call', 'to']
const NOTHING: readonly Delta[] = []
