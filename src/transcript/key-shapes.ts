// A text → where something in it looks like a key, a token or a password, whoever it belongs to. Only shapes that are hardly ever anything else.

/** A secret in a text, [start, end) in UTF-16 code units. */
export interface Found {
  readonly start: number
  readonly end: number
  readonly name: string
}

/** Beginnings of a word by which a service marks its keys. Matched against whole words alone, so each is tried once. */
const WORDS: readonly (readonly [name: string, shape: RegExp])[] = [
  ['API_KEY', /^sk-[A-Za-z0-9_-]{16,}/],
  ['STRIPE_KEY', /^[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/],
  ['GITHUB_TOKEN', /^gh[oprsu]_[A-Za-z0-9]{20,}/],
  ['GITHUB_TOKEN', /^github_pat_[A-Za-z0-9_]{20,}/],
  ['GITLAB_TOKEN', /^glpat-[A-Za-z0-9_-]{16,}/],
  ['AWS_KEY_ID', /^(?:AKIA|ASIA)[A-Z0-9]{16}/],
  ['SLACK_TOKEN', /^xox[a-z]-[A-Za-z0-9-]{10,}/],
  ['GOOGLE_KEY', /^AIza[A-Za-z0-9_-]{30,}/],
  ['HUGGING_FACE_TOKEN', /^hf_[A-Za-z0-9]{20,}/],
  ['NPM_TOKEN', /^npm_[A-Za-z0-9]{30,}/],
  ['JWT', /^eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}/],
]

/** Phrases whose last group is the secret, the first what stands before it. */
const PHRASES: readonly (readonly [name: string, shape: RegExp])[] = [
  ['CREDENTIALS', /((?:bearer|basic)[ \t]{1,4})([A-Za-z0-9._~+/-]{16,}={0,2})/gi],
  ['PASSWORD', /(:\/\/[^\s:/@]{0,100}:)([^\s:/@]{3,200})@/g],
  ['PRIVATE_KEY', /(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)([A-Za-z0-9+/=\s\\]{1,})/g],
]

/** In no order; they may overlap. */
export function keysIn(text: string): readonly Found[] {
  return [...wordsIn(text), ...phrasesIn(text)]
}

function* wordsIn(text: string): Generator<Found> {
  for (const { 0: word, index } of text.matchAll(/[A-Za-z0-9_.-]{16,}/g)) {
    // `\nsk-…` where a line break is written as an escape
    const start = text[index - 1] === '\\' ? 1 : 0
    for (const [name, shape] of WORDS) {
      const key = shape.exec(start === 0 ? word : word.slice(start))?.[0]
      // a word of letters alone, such as sk-learn-contributed-packages, is a name
      if (key !== undefined && HAS_DIGIT.test(key)) yield { start: index + start, end: index + start + key.length, name }
    }
  }
}

function* phrasesIn(text: string): Generator<Found> {
  for (const [name, shape] of PHRASES)
    for (const { 1: before = '', 2: secret = '', index } of text.matchAll(shape)) {
      const start = index + before.length
      if (name !== 'CREDENTIALS' || HAS_DIGIT.test(secret)) yield { start, end: start + secret.length, name }
    }
}

const HAS_DIGIT = /\d/
