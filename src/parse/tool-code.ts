// Gemma's fence of Python calls → the calls in it.
import { type NativeReading, readNative } from './native-markup.js'
import type { Toolbox } from './tool-shape.js'

/** Gemma's ```tool_code: calls as code, perhaps within print(). */
export function readToolCode(text: string, at: number, to: number, mark: string, box: Toolbox): NativeReading {
  const close = text.indexOf(mark, at)
  const limit = close < 0 ? to : close
  const body = text.slice(at, limit)
  const lead =
    body.length -
    body.trimStart().length +
    (/^\s*print\(/.test(body) ? body.indexOf('(') + 1 - (body.length - body.trimStart().length) : 0)
  const wrapped = `[${body
    .slice(lead)
    .trim()
    .replace(/\)\)$/, /^\s*print\(/.test(body) ? ')' : '))')}]`
  const reading = readNative(wrapped, 0, wrapped.length, box)
  const calls = reading.calls.map(call => ({
    ...call,
    start: at,
    end: limit,
    args: call.args.kind === 'python' ? { ...call.args, start: at } : call.args,
  }))
  return {
    ...reading,
    calls,
    start: at,
    end: close < 0 ? to : Math.min(to, close + mark.length),
    open: close < 0 && reading.calls.length === 0,
  }
}
