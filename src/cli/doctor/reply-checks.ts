// How replies come: streamed or whole, cut at stop strings or not, counted, with reasoning apart, with a proper end, how fast.
import { counted } from '../../core/counted.js'
import type { Asked, Exam } from './exam.js'
import type { Finding } from './finding.js'

export async function streaming(exam: Exam): Promise<Finding> {
  const asked = await exam.streamed()
  if (asked === undefined) return unseen('streaming', 'nothing answers')
  const { look, notices } = asked
  if (look.error)
    return { name: 'streaming', state: 'broken', seen: look.error.message, fix: 'Ask for whole replies: --no-stream.' }
  const seen = `first text after ${Math.round(look.firstMs)} ms, ${counted(look.pieces, 'piece')}`
  if (!look.streamed) {
    const refused = notices.some(({ code }) => code === 'STREAMING_OFF')
    return {
      name: 'streaming',
      state: 'off',
      seen: refused ? 'refused' : 'ignored: the reply comes whole',
      fix: 'Ask for whole replies at once: --no-stream.',
      ms: look.ms,
    }
  }
  const long = look.text.length + look.reasoning.length > 40
  if (look.pieces < 2 && long)
    return {
      name: 'streaming',
      state: 'off',
      seen: `${seen}: something gathers the stream`,
      fix: 'Look for a proxy in between that buffers; nothing is shown before the end of a reply.',
      ms: look.ms,
    }
  return { name: 'streaming', state: 'fine', seen, ms: look.ms }
}

/** A word out of a reply is given as a stop string, and the same is asked again. On each API that answers. */
export async function stops(exam: Exam): Promise<Finding> {
  const found: { readonly api: string; readonly how: StopManner; readonly ms: number }[] = []
  for (const asked of await exam.working()) {
    const word = wordInside(asked.look.text)
    if (word === undefined) found.push({ api: asked.api, how: 'unseen', ms: 0 })
    else {
      const again = await exam.again(asked, [word])
      found.push({ api: asked.api, how: mannerOf(again, asked.look.text, word), ms: again.look.ms })
    }
  }
  if (found.length === 0) return unseen('stop strings', 'nothing answers')
  const seen = found.map(({ api, how }) => `${MANNERS[how]} on ${api}`).join(', ')
  const ms = found.reduce((sum, each) => sum + each.ms, 0)
  const used = found[0]?.how ?? 'unseen'
  if (used === 'unseen') return { name: 'stop strings', state: 'unseen', seen, ms }
  if (used === 'honoured' || used === 'included') return { name: 'stop strings', state: 'fine', seen, ms }
  const fix =
    exam.options.stream === false
      ? 'saydo cuts replies itself, but the model writes on until its end: leave --no-stream out, and set --max-tokens.'
      : 'saydo cuts replies itself and hangs up; where a server writes on all the same, set --max-tokens.'
  return { name: 'stop strings', state: 'off', seen, fix, ms }
}

type StopManner = 'honoured' | 'included' | 'ignored' | 'rejected' | 'unseen'

const MANNERS: Readonly<Record<StopManner, string>> = {
  honoured: 'honoured',
  included: 'honoured, but left at the end of the reply (saydo cuts it)',
  ignored: 'ignored',
  rejected: 'rejected (saydo leaves them out)',
  unseen: 'not to be told',
}

/** A word that stands once, behind the first third: the reply must be able to go on in front of it and behind it. */
function wordInside(text: string): string | undefined {
  const words = [...text.matchAll(/\p{L}{3,20}/gu)]
  return words.find(
    ({ 0: word, index }) => index > text.length / 3 && text.indexOf(word) === index && index + word.length < text.length - 1,
  )?.[0]
}

function mannerOf({ look, notices }: Asked, before: string, word: string): StopManner {
  if (notices.some(({ code, message }) => code === 'PARAMETER_DROPPED' && /\bstop\b/.test(message))) return 'rejected'
  if (look.error) return 'unseen'
  if (look.text.includes(word)) return look.text.trimEnd().endsWith(word) ? 'included' : 'ignored'
  // another reply may do without the word by chance
  return before.startsWith(look.text.trimEnd()) ? 'honoured' : 'unseen'
}

export async function emptyStop(exam: Exam): Promise<Finding> {
  const name = 'empty stop string'
  const [first] = await exam.working()
  if (first === undefined) return unseen(name, 'nothing answers')
  const { look } = await exam.again(first, [], body => ({ ...body, stop: [''] }))
  const what = look.error ? 'rejected' : look.text.length < first.look.text.length / 2 ? 'ends the reply at once' : 'ignored'
  return { name, state: 'fine', seen: `${what}; saydo never sends one`, ms: look.ms }
}

export async function usage(exam: Exam): Promise<Finding> {
  const looks = [(await exam.working())[0]?.look, (await exam.streamed())?.look]
  const [whole, streamed] = looks.map(look => look?.usage)
  if (whole && streamed) {
    const seen = `${whole.promptTokens} tokens in, ${whole.completionTokens} out`
    return { name: 'token counts', state: 'fine', seen }
  }
  const where = whole ? 'not in streams' : streamed ? 'in streams alone' : 'not reported'
  const fix = 'Without them runs count no tokens, and nobody notices a prompt that the server cut.'
  return { name: 'token counts', state: 'off', seen: where, fix }
}

export async function systemTurn(exam: Exam): Promise<Finding> {
  const { look, notices } = await exam.asked('chat')
  if (look.error) return unseen('system turn', 'there is no chat')
  if (!notices.some(({ code }) => code === 'SYSTEM_FOLDED')) return { name: 'system turn', state: 'fine', seen: 'taken' }
  return {
    name: 'system turn',
    state: 'off',
    seen: 'refused; saydo puts its text into the first user turn',
    fix: 'Nothing to do, but each run asks once in vain; a chat template with a system role would spare that.',
  }
}

export async function speed(exam: Exam): Promise<Finding> {
  const look = (await exam.streamed())?.look
  const name = 'speed'
  if (look === undefined || look.error || !look.streamed) return unseen(name, 'there is no stream to measure')
  const tokens = look.usage?.completionTokens ?? look.pieces
  const seconds = (look.ms - look.firstMs) / 1000
  const perSecond = tokens > 1 && seconds > 0.001 ? `${digits((tokens - 1) / seconds)} tokens/s` : 'too few tokens to tell'
  const seen = `${perSecond}, ${Math.round(look.firstMs)} ms to the first`
  if (look.firstMs < SLOW_MS) return { name, state: 'fine', seen }
  return { name, state: 'off', seen, fix: 'A short prompt took long: is the model still loading, or the machine busy?' }
}

const SLOW_MS = 20_000

export async function reasoning(exam: Exam): Promise<Finding> {
  const looks = [...(await exam.working()).map(({ look }) => look), (await exam.streamed())?.look]
  const apart = looks.some(look => look && look.reasoning !== '')
  const inside = looks.some(look => look && /<think(?:ing)?>/i.test(look.text))
  const seen = apart ? 'kept apart (reasoning_content)' : inside ? 'inside the reply, in tags; the reader strikes it' : 'none'
  if (!apart || looks.some(look => look && look.text !== '')) return { name: 'reasoning', state: 'fine', seen }
  const fix = 'Leave room for it: --max-tokens 4096 or more, or ask the server for less reasoning.'
  return {
    name: 'reasoning',
    state: 'off',
    seen: `${seen}, and ${exam.options.maxTokens ?? 40} tokens were too few for a reply`,
    fix,
  }
}

export async function ending(exam: Exam): Promise<Finding> {
  const look = (await exam.streamed())?.look
  if (look === undefined || !look.streamed || look.error) return unseen('end of a stream', 'there is no stream')
  const finish = look.finish === undefined ? 'no finish reason' : `finish reason ${look.finish}`
  const done = look.done ? '[DONE]' : 'no [DONE]'
  if (look.finish !== undefined) return { name: 'end of a stream', state: 'fine', seen: `${finish}, ${done}` }
  const fix = 'A reply that was cut off for its length can’t be told from a whole one: raise --max-tokens.'
  return { name: 'end of a stream', state: 'off', seen: `${finish}, ${done}`, fix }
}

function unseen(name: string, seen: string): Finding {
  return { name, state: 'unseen', seen }
}

function digits(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1)
}
