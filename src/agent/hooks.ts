// What a program may put in at each phase of a run: look on, put something else in its place, or refuse. The events say what a hook made of it.
import { SaydoError } from '../core/errors.js'
import { isObject } from '../core/json.js'
import type { Message, Prompt } from '../core/message.js'
import type { ModelReply } from '../core/model.js'
import type { ParsedReply } from '../core/reply.js'
import type { RunResult, Step } from '../core/step.js'
import type { Approval, Observation, ToolCall } from '../core/tool.js'
import type { ActiveRun } from './active-run.js'
import { orAborted } from './until-aborted.js'

/** Where in a run a hook is called; `attempt` counts the tries at one step. */
export interface HookPlace {
  readonly step: number
  readonly attempt: number
}

type Onlooker<In extends readonly unknown[]> = (...given: In) => void | Promise<void>
type Changer<In extends readonly unknown[], Out> = (...given: In) => Out | undefined | Promise<Out | undefined>

/**
 * Each may be async, and is waited for; an abort or a deadline ends the wait. Giving `undefined` leaves all as it is. What a hook throws ends the run,
 * which then rejects with it.
 */
export interface Hooks {
  /**
   * Before the world is looked at and a step begins.
   * @example beforeStep: step => pauseWhile(userIsTyping)
   */
  readonly beforeStep?: Onlooker<[step: number]>
  /**
   * Gives another prompt in place of this one. Where only its `messages` are others, its `text` is written anew from them.
   * @example beforeModel: prompt => ({ ...prompt, messages: prompt.messages.map(redact) })
   */
  readonly beforeModel?: Changer<[prompt: Prompt, at: HookPlace], Prompt>
  /**
   * Gets a reply as it came.
   * @example afterModel: reply => meter.add(reply.usage)
   */
  readonly afterModel?: Onlooker<[reply: ModelReply, at: HookPlace]>
  /**
   * Gives another reading in place of this one.
   * @example afterParse: parsed => (parsed.thought?.includes('forbidden') ? { ...parsed, thought: null } : undefined)
   */
  readonly afterParse?: Changer<[parsed: ParsedReply, at: HookPlace], ParsedReply>
  /**
   * Decides about a call whose input is checked, before it is made: what an `Approval` says. `true` makes it without asking anybody; nothing
   * and another input leave it to `confirm`, where the tool wants that.
   * @example beforeCall: call => (call.tool === 'shell' ? 'not on this machine' : undefined)
   */
  readonly beforeCall?: Changer<[call: ToolCall, at: HookPlace], Approval>
  /**
   * Gives another observation in place of what a call gave.
   * @example afterCall: (call, observation) => ({ ...observation, text: hideSecrets(observation.text) })
   */
  readonly afterCall?: Changer<[call: ToolCall, observation: Observation, at: HookPlace], Observation>
  /**
   * Refuses an answer by giving a text: the model is told that, and asked again within the same step.
   * @example beforeAnswer: text => (text.includes('http') ? undefined : 'Name your source as a link.')
   */
  readonly beforeAnswer?: Changer<[text: string], string>
  /**
   * Gets each step as it is remembered, replies that gave no decision included.
   * @example afterStep: step => log(step)
   */
  readonly afterStep?: Onlooker<[step: Step]>
  /**
   * Gets the result of a run that ended by itself, before the agent is free again. It is waited for without end.
   * @example afterRun: result => save(result)
   */
  readonly afterRun?: Onlooker<[result: RunResult]>
}

/** Of all hooks, in the order of the circle. */
export const HOOK_NAMES = Object.keys({
  beforeStep: true,
  beforeModel: true,
  afterModel: true,
  afterParse: true,
  beforeCall: true,
  afterCall: true,
  beforeAnswer: true,
  afterStep: true,
  afterRun: true,
} satisfies Record<keyof Hooks, true>) as readonly (keyof Hooks)[]

/** What a hook gives, unless the run ends meanwhile. */
export async function askHook<In extends readonly unknown[], Out>(
  run: ActiveRun,
  hook: ((...given: In) => Out | Promise<Out>) | undefined,
  ...given: In
): Promise<Out | undefined> {
  return hook && orAborted((async () => hook(...given))(), run.signal)
}

/** The hooks that may put something in the place of what they get, or refuse it. */
interface Others {
  readonly beforeModel: Prompt
  readonly afterParse: ParsedReply
  readonly afterCall: Observation
  readonly beforeAnswer: string
}

/** What a hook gives in place of something; undefined for nothing. Rejects with `CONFIG` for what could not stand there. */
export async function askForOther<Name extends keyof Others>(
  run: ActiveRun,
  hooks: Hooks,
  name: Name,
  ...given: Parameters<NonNullable<Hooks[Name]>>
): Promise<Others[Name] | undefined> {
  const hook = hooks[name] as ((...given: readonly unknown[]) => unknown) | undefined
  const other = await askHook(run, hook, ...given)
  if (other === undefined || other === null) return undefined
  if (FITS[name](other)) return other as Others[Name]
  throw new SaydoError(
    'CONFIG',
    `the hook ${name} gave ${typeof other === 'object' ? 'an object' : `a ${typeof other}`} that cannot stand there`,
    {
      hint: `let it give ${WANTED[name]}, or nothing`,
    },
  )
}

const WANTED: Readonly<Record<keyof Others, string>> = {
  beforeModel: 'a prompt like the one it got',
  afterParse: 'a reading like the one it got',
  afterCall: 'an observation like the one it got',
  beforeAnswer: 'the text that the model is told',
}

const FITS: Readonly<Record<keyof Others, (other: unknown) => boolean>> = {
  beforeModel: other => {
    const { messages, text } = other as Partial<Prompt>
    return isFilled(messages) && messages.every(isMessage) && typeof text === 'string'
  },
  afterParse: other => {
    const { decision, problems } = other as Partial<ParsedReply>
    if (!Array.isArray(problems)) return false
    if (decision?.kind === 'act') return isFilled(decision.calls) && decision.calls.every(isCall)
    return decision?.kind === 'answer'
      ? typeof decision.text === 'string'
      : decision?.kind === 'unclear' && isObject(decision.problem)
  },
  afterCall: other => {
    const { tool, text } = other as Partial<Observation>
    return typeof tool === 'string' && typeof text === 'string'
  },
  beforeAnswer: other => typeof other === 'string',
}

function isFilled(list: unknown): list is readonly unknown[] {
  return Array.isArray(list) && list.length > 0
}

function isMessage(value: unknown): boolean {
  const { role, text } = (value ?? {}) as Partial<Message>
  return typeof role === 'string' && typeof text === 'string'
}

function isCall(value: unknown): boolean {
  const { id, tool, input } = (value ?? {}) as Partial<ToolCall>
  return typeof id === 'string' && typeof tool === 'string' && isObject(input)
}
