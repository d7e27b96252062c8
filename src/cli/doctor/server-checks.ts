// Is there a server, does it let us in, which models and which APIs has it, how long a prompt does it take.
import { contextIn, contextSize } from '../../model/context-size.js'
import { shortList } from '../../model/list-models.js'
import type { Api } from '../../model/plan.js'
import type { Asked, Exam } from './exam.js'
import type { Finding } from './finding.js'

export async function reachable(exam: Exam): Promise<Finding> {
  const { error, ms } = await exam.listing()
  const { baseURL } = exam.connection
  if (error?.status === undefined && (error?.code === 'MODEL_UNREACHABLE' || error?.code === 'MODEL_TIMEOUT'))
    return { name: 'server', state: 'broken', seen: error.message, ms, fatal: true, ...(error.hint && { fix: error.hint }) }
  return { name: 'server', state: 'fine', seen: `${baseURL} answers`, ms }
}

export async function key(exam: Exam): Promise<Finding> {
  const answers = [(await exam.listing()).error, (await exam.asked('chat')).look.error]
  const refusal = answers.find(error => error?.code === 'MODEL_AUTH')
  if (refusal === undefined)
    return { name: 'key', state: 'fine', seen: exam.keySent ? 'the one that was sent is taken' : 'none is needed' }
  const fix = 'Set OPENAI_API_KEY, or name the variable that holds it: --api-key-env NAME.'
  return { name: 'key', state: 'broken', seen: refusal.message, fix, fatal: true }
}

export async function models(exam: Exam): Promise<Finding> {
  const { names, error, ms } = await exam.listing()
  const { model } = exam.options
  if (names.length === 0) {
    const seen = error ? `none are listed: ${error.message}` : 'none are listed'
    if (model !== undefined) return { name: 'models', state: 'fine', seen: `${seen}; ${model} is asked for all the same`, ms }
    const fix = error?.loading ? 'Wait until the server has loaded its model.' : 'Name the one you want: --model NAME.'
    return { name: 'models', state: 'off', seen, fix, ms }
  }
  const listed = `${names.length} listed: ${shortList(names)}`
  if (model === undefined && names.length > 1)
    return { name: 'models', state: 'off', seen: `${listed}; the first is looked at`, fix: 'A run needs one: --model NAME.', ms }
  const missing = model !== undefined && !names.includes(model) ? `; ${model} is not among them` : ''
  return { name: 'models', state: 'fine', seen: listed + missing, ms }
}

export async function chat(exam: Exam): Promise<Finding> {
  return endpoint('chat', exam)
}

export async function completions(exam: Exam): Promise<Finding> {
  return endpoint('completions', exam)
}

async function endpoint(api: Api, exam: Exam): Promise<Finding> {
  const asked = await exam.asked(api)
  const { look, notices } = asked
  const { error, ms } = look
  if (error === undefined) {
    const changed = notices.filter(({ code }) => code !== 'SYSTEM_FOLDED').map(({ message }) => `; ${message}`)
    return { name: api, state: 'fine', seen: `answers${changed.join('')}`, ms }
  }
  const chosen = exam.options.api === api
  const other = (await exam.working())[0]
  if (other === undefined || chosen) {
    // told once, for the API that a run would ask first
    const first = api === (exam.options.api === 'completions' ? 'completions' : 'chat')
    const fatal = first ? { fatal: true as const } : {}
    return { name: api, state: 'broken', seen: error.message, ms, ...fatal, ...(error.hint && { fix: error.hint }) }
  }
  const seen = `${isMissing(asked) ? 'none' : 'no use'}: ${error.message}; ${other.api} is used`
  if (api === 'completions') return { name: api, state: 'fine', seen, ms }
  return { name: api, state: 'off', seen, ms, fix: 'Say so, and no run asks in vain: --api completions.' }
}

function isMissing({ look }: Asked): boolean {
  return [404, 405, 501].includes(look.error?.status ?? 0)
}

/** Asks for a model that nobody has. */
export async function modelName(exam: Exam): Promise<Finding> {
  const [first] = await exam.working()
  if (first === undefined) return { name: 'model name', state: 'unseen', seen: 'nothing answers' }
  const { look } = await exam.again(first, [], body => ({ ...body, model: NOBODY }))
  const seen = look.error ? 'must be one that the server has' : 'any is taken, so the server won’t notice one that is misspelt'
  return { name: 'model name', state: 'fine', seen, ms: look.ms }
}

const NOBODY = 'saydo-no-such-model'

/** A prompt with tools, examples and a few steps needs about this much. */
const ENOUGH = 4096

export async function context(exam: Exam): Promise<Finding> {
  const started = performance.now()
  const model = await exam.model()
  const told = await contextSize(exam.connection, model, (await exam.listing()).body, exam.signal)
  const mentioned = (await Promise.all([exam.asked('chat'), exam.asked('completions')]))
    .map(({ look }) => contextIn(look.error?.said ?? ''))
    .find(size => size !== undefined)
  const size = told ?? (mentioned === undefined ? undefined : { tokens: mentioned, from: 'an error' })
  const ms = performance.now() - started
  if (size === undefined)
    return { name: 'context', state: 'unseen', seen: 'the server does not say how long a prompt may be', ms }
  const seen = `${size.tokens.toLocaleString('en-US')} tokens (${size.from})`
  if (size.tokens >= ENOUGH) return { name: 'context', state: 'fine', seen, ms }
  const fix = `A run of several steps needs ${ENOUGH.toLocaleString('en-US')} and more: llama-server -c, Ollama num_ctx, vLLM --max-model-len.`
  return { name: 'context', state: 'off', seen, fix, ms }
}
