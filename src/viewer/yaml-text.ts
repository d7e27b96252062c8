// Plain data → YAML for people: texts of several lines as blocks, everything else as JSON writes it, which is YAML too.
import type { JsonValue } from '../core/json.js'

/** Ends in a line break. */
export function yamlText(value: JsonValue): string {
  return `${write(value, '').replace(/^\n/, '')}\n`
}

/** Begins with a blank, or with a line break where what follows stands on lines of its own. */
function write(value: JsonValue, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []'
    return value.map(item => `\n${indent}-${write(item, `${indent}  `).replace(/^\n\s*/, ' ')}`).join('')
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    if (entries.length === 0) return ' {}'
    return entries.map(([key, item]) => `\n${indent}${keyText(key)}:${write(item, `${indent}  `)}`).join('')
  }
  return typeof value === 'string' && isBlock(value) ? block(value, indent) : ` ${scalar(value)}`
}

function keyText(key: string): string {
  return /^[a-z_]{1,40}$/.test(key) && !WORDS.test(key) ? key : scalar(key)
}

/** Words that YAML, of one version or another, takes for something else. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/

function scalar(value: JsonValue): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Several lines that a block can hold to the character. */
function isBlock(text: string): boolean {
  return (
    /^[^\s][^\n]*\n/.test(text) &&
    !/[^\n\t\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/.test(text) &&
    !/\n\n$/.test(text)
  )
}

function block(text: string, indent: string): string {
  const ends = text.endsWith('\n')
  const lines = (ends ? text.slice(0, -1) : text).split('\n')
  return ` |${ends ? '' : '-'}${lines.map(line => (line === '' ? '\n' : `\n${indent}${line}`)).join('')}`
}
