// A fixture file → what a test needs to play it: a model, tools, the options of the agent; and at the end, whether all of it was used.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ToolCallAgentOptions } from '../agent/tool-call-options.js'
import { SaydoError } from '../core/errors.js'
import type { AgentEvent } from '../core/event.js'
import type { JsonObject } from '../core/json.js'
import type { Message } from '../core/message.js'
import type { Model } from '../core/model.js'
import type { Tool } from '../core/tool.js'
import { dialectByName } from '../dialect/index.js'
import { parseReply } from '../dialect/read.js'
import type { Template } from '../prompt/index.js'
import { Cassette, noLive } from '../transcript/cassette.js'
import type { Chunking } from '../transcript/chunks.js'
import { runsIn } from '../transcript/conversation.js'
import { decisionOf, FIXTURE_VERSION, type Fixture, type FixtureReply, type FixtureTurn } from '../transcript/fixture.js'
import { readFixture, writeFixture } from '../transcript/fixture-file.js'
import { type Env, MODES, type Modes, modesOf } from '../transcript/modes.js'
import { readJournal } from '../transcript/read-journal.js'
import { recordedFixture } from '../transcript/recorded-fixture.js'
import { NO_EXAMPLES, type PromptPart } from '../transcript/request.js'
import { RUNS } from '../transcript/runs-folder.js'
import { createMask, secretsIn } from '../transcript/secrets.js'
import { transcriptOf, transcriptsOf } from '../transcript/transcript.js'
import { utf8Text } from '../transcript/utf8-text.js'
import { writeWhole } from '../transcript/write-whole.js'

export interface FixtureOptions {
  /** One word for both, `model=live,tools=replay`, or an object; default `SAYDO_MODE`, or `replay`. See `Modes`. */
  readonly mode?: string | Partial<Modes>
  /** Who is asked where the run is made for real; default the endpoint of `SAYDO_URL` and `SAYDO_MODEL`. */
  readonly model?: Model
  /** Default `recorded`. */
  readonly chunking?: Chunking
  /** Parts of the prompt that may be others than they were when it was recorded; default none. */
  readonly ignore?: readonly PromptPart[]
  /** For mode `continue`: the first step that is made for real. */
  readonly from?: number
  /** For a file that is made: what is asked. */
  readonly task?: string
  /** Default `process.env`. */
  readonly env?: Env
  /** Where the files lie that the fixture names, such as a template; default the working directory. */
  readonly cwd?: string
}

export interface OpenFixture {
  readonly file: string
  readonly fixture: Fixture
  /** The first task. */
  readonly task: string
  readonly turns: readonly FixtureTurn[]
  readonly model: Model
  /** Your tools, whose results are the recorded ones; without any, stand-ins for the recorded tools. `turn` counts from 1, the default. */
  tools(own?: Iterable<Tool>, turn?: number): Tool[]
  /** Stand-ins for the tools that a step had, which may be others than those of its turn's start. Both count from 1. */
  toolsAt(turn: number, step: number): Tool[]
  /** What the recorded agent was given, but for the model and the tools. */
  readonly agentOptions: Omit<ToolCallAgentOptions, 'model' | 'tools'>
  readonly modes: Modes
  /** For `RunOptions`: fires where the recorded run was aborted. To be taken anew for each turn. */
  readonly signal: AbortSignal
  /** For `RunOptions`: needed to record, and to hold the parameters of the agent to the recorded ones. */
  readonly onEvent: (event: AgentEvent) => void
  /**
   * To be called at the end: throws for what was done otherwise or left over, but not once more when the run has failed by that; writes what was
   * recorded, where the mode says so.
   */
  done(): Promise<void>
  /** The same as `done`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Throws `FIXTURE_MISSING` when there is no such file and the mode makes none, `FIXTURE_INVALID` and `FIXTURE_VERSION` as `readFixture` does, and
 * `CONFIG` for a mode that is none.
 */
export async function openFixture(file: string | URL, options: FixtureOptions = {}): Promise<OpenFixture> {
  const path = pathOf(file)
  const { env = process.env, task } = options
  const modes = modesOf(options.mode, env)
  const previous = existsSync(path) ? utf8Text(readFileSync(path), path) : undefined
  const makes = MODES[modes.model].makes
  if (previous === undefined && !makes)
    throw new SaydoError('FIXTURE_MISSING', `there is no fixture ${path}`, {
      hint: 'saydo fixtures from RUN makes one of a recorded run, SAYDO_MODE=auto records it',
    })
  if (previous === undefined && task === undefined)
    throw new SaydoError('CONFIG', `${path} is to be made, and nobody says what is asked`, {
      hint: 'openFixture(file, { task })',
    })
  const fixture =
    previous === undefined
      ? { fixture: FIXTURE_VERSION, turns: [{ user: task ?? '', steps: [] }] }
      : await readFixture(previous, path)
  const used: Modes = previous === undefined ? { model: 'rewrite', tools: 'rewrite' } : modes
  const live = options.model ?? (MODES[used.model].beyond ? await endpointOf(env) : undefined)
  const { chunking = 'recorded', ignore = [], from = 1, cwd = '' } = options
  // an id that a file names is no way out of the folder
  const promptOf = (run: string) => (/^[\w-]{1,80}$/.test(run) ? firstPrompt(join(cwd, RUNS, `${run}.jsonl`)) : undefined)
  const cassette = new Cassette(read(fixture), { file: path, modes: used, chunking, ignore, from, live, promptOf })
  const template = await templateOf(fixture, cwd)
  const events: AgentEvent[] = []
  const writes = previous === undefined ? 'file' : MODES[used.model].writes
  const done = async (): Promise<void> => {
    cassette.check()
    if (writes === 'nowhere') return
    if (events.length === 0) throw noLive('the events of the run (onEvent: tape.onEvent)', used.model)
    await write(path, writes === 'file' ? path : `${path}.new`, { events, previous, fixture, env })
  }
  return {
    file: path,
    fixture,
    task: fixture.turns[0]?.user ?? '',
    turns: fixture.turns,
    model: {
      ...cassette.model,
      name: used.model === 'replay' ? (fixture.model ?? 'recorded') : (live?.name ?? fixture.model ?? 'recorded'),
    },
    tools: (own, turn) => cassette.tools(own, turn),
    toolsAt: (turn, step) => cassette.toolsAt({ turn, step }),
    agentOptions: { ...agentOptionsOf(fixture), ...(template ? { template } : {}), confirm: cassette.confirm },
    modes: used,
    get signal() {
      return cassette.signal
    },
    onEvent: event => {
      cassette.onEvent(event)
      if (event.type !== 'delta') events.push(event)
    },
    done,
    [Symbol.asyncDispose]: done,
  }
}

/** What the recorded agent was given, as far as a file can say it. */
export function agentOptionsOf({
  agent,
  dialect = 'react',
  options = {},
  request,
}: Fixture): Omit<ToolCallAgentOptions, 'model' | 'tools'> {
  // a file, which is read apart; and a name, which is the played agent's alone
  const { template: _, bundled: _bundled, ...given } = options
  return {
    ...(agent === undefined ? {} : { name: agent }),
    dialect: dialectByName(dialect),
    ...(given as JsonObject & Omit<ToolCallAgentOptions, 'model' | 'tools' | 'dialect'>),
    ...(request?.examples === NO_EXAMPLES ? { examples: [] } : {}),
  }
}

/** The template that the recorded agent had, as it is today; without its file the bundled one takes its place, and the prompt says so. */
async function templateOf({ options = {} }: Fixture, cwd: string): Promise<Template | undefined> {
  const { template: file } = options
  // a file that anybody wrote opens nothing outside the project
  if (typeof file !== 'string' || relative(resolve(cwd), resolve(cwd, file)).startsWith('..')) return undefined
  if (!existsSync(resolve(cwd, file))) return undefined
  const { loadTemplate } = await import('../prompt/index.js')
  return loadTemplate(resolve(cwd, file))
}

/** Undefined when there is no such record any more, or none that can be read. */
function firstPrompt(record: string): readonly Message[] | undefined {
  try {
    return existsSync(record) ? transcriptOf(runsIn(readJournal(record).events)[0] ?? []).prompts[0]?.messages : undefined
  } catch {
    return undefined
  }
}

function pathOf(file: string | URL): string {
  return file instanceof URL || file.startsWith('file:') ? fileURLToPath(file) : file
}

/** A file written by hand need not say what is read: then it is read now, whatever tools there are. */
function read(fixture: Fixture): Fixture {
  const { dialect = 'react', tools } = fixture
  const reading = (reply: FixtureReply): FixtureReply => {
    if (reply.model === undefined || reply.parsed !== undefined || reply.tool === undefined) return reply
    const { decision } = parseReply(reply.model, { dialect: dialectByName(dialect), ...(tools ? { tools } : {}) })
    return decision.kind === 'act' ? { ...reply, parsed: decisionOf(decision) } : reply
  }
  return {
    ...fixture,
    turns: fixture.turns.map(turn => ({
      ...turn,
      steps: turn.steps.map(step => ({
        ...step,
        ...reading(step),
        ...(step.failed ? { failed: step.failed.map(reading) } : {}),
      })),
    })),
  }
}

async function endpointOf(env: Env): Promise<Model | undefined> {
  const { SAYDO_URL: baseURL, SAYDO_MODEL: model } = env
  if (!baseURL) return undefined
  const { openaiModel } = await import('../model/openai.js')
  return openaiModel({ baseURL, model: model ?? 'default' })
}

interface Recorded {
  readonly events: readonly AgentEvent[]
  readonly previous: string | undefined
  readonly fixture: Fixture
  readonly env: Env
}

async function write(path: string, to: string, { events, previous, fixture, env }: Recorded): Promise<void> {
  const masked = events.map(createMask(secretsIn(env)))
  const whole = recordedFixture(transcriptsOf(masked), fixture.name)
  writeText(to, await writeFixture(whole, previous === undefined ? {} : { previous }), path === to ? previous : undefined)
}

/** Not at all when it says the same. */
export function writeText(file: string, text: string, before?: string): void {
  if (text !== before) writeWhole(file, text)
}
