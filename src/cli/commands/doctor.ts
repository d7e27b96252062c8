// `saydo doctor`: looks at an endpoint from all sides that matter to a run, says what it saw, and what to do about what is not fine.
import { counted } from '../../core/counted.js'
import { SaydoError } from '../../core/errors.js'
import { LONGEST_DELAY_MS } from '../../core/longest-delay.js'
import { AGENT_OPTIONS } from '../agent-options.js'
import { colourOptions } from '../colour-options.js'
import type { Command, Invocation, Io, OptionSpec, Verdict } from '../command.js'
import type { Finding } from '../doctor/finding.js'
import { number } from '../numbers.js'
import { paintFor } from '../paint.js'
import { SCENE_OPTIONS, sceneOf } from '../scenes/index.js'
import { readSettings } from '../settings.js'
import { visible, visibleJson } from '../visible.js'
import { run } from './run.js'

/** For all requests together, in seconds: a small model on a slow machine takes a minute for a run. */
const PATIENCE = 180

/** Those of a run that say how the endpoint is asked, and in which form the model writes. */
const ASKING = [
  'url',
  'model',
  'api-key-env',
  'api',
  'header',
  'no-stream',
  'temperature',
  'seed',
  'max-tokens',
  'dialect',
  'lang',
]

export const doctor: Command = {
  name: 'doctor',
  summary:
    'examine an endpoint, or what an agent needs: what it has, what it honours, how fast it is, and whether the model keeps the format',
  options: [
    ...AGENT_OPTIONS.filter(isAsking),
    ...SCENE_OPTIONS,
    { flags: '--timeout <seconds>', description: `time for all of it (default ${PATIENCE})`, parse: number(0.001) },
    { flags: '--json', description: 'print the findings as one JSON object' },
    ...colourOptions('stdout'),
  ],
  examples: [
    'saydo doctor --url http://localhost:8080',
    'saydo doctor --agent mcp --mcp servers.json',
    'saydo doctor --url http://localhost:11434 --model llama3.2 --json',
  ],
  async run(invocation) {
    const { options, io } = invocation
    const settings = await readSettings(invocation, run.options)
    const scene = sceneOf(settings)
    const paint = paintFor(io.stdout, io.env, { color: options.color })
    const findings: Finding[] = []
    const { writeFinding } = await import('../doctor/finding.js')
    const tell = (finding: Finding): void => {
      findings.push(finding)
      if (options.json !== true) io.stdout.write(writeFinding(finding, paint))
    }
    if (scene)
      for (const need of await scene.needs({ settings, io, say: line => void io.stderr.write(`${visible(line)}\n`) })) tell(need)
    // the agent alone was asked about
    if (scene && options.url === undefined) return concluded(findings, options, io)
    if (settings.url === undefined && settings.apiKey === undefined)
      throw new SaydoError('CONFIG', 'no endpoint: neither a URL nor a key is set', {
        hint: 'give --url http://localhost:8080, or set SAYDO_URL',
      })
    const [{ CHECKS }, { openExam }, { modelOptions }] = await Promise.all([
      import('../doctor/checks.js'),
      import('../doctor/exam.js'),
      import('../build-agent.js'),
    ])
    const seconds = typeof options.timeout === 'number' ? options.timeout : PATIENCE
    const late = AbortSignal.timeout(Math.min(seconds * 1000, LONGEST_DELAY_MS))
    const { timeouts: _, ...asking } = modelOptions(settings)
    const exam = openExam(asking, AbortSignal.any([io.signal, late]))
    for (const check of CHECKS) {
      try {
        const { dialect, lang } = settings.options
        tell(await check(exam, { ...text('dialect', dialect), ...text('language', lang) }))
      } catch (error) {
        if (io.signal.aborted) throw new SaydoError('ABORTED', 'interrupted')
        tell(late.aborted ? timeIsUp(seconds, findings) : failed(error))
        if (late.aborted) break
      }
      if (findings.at(-1)?.fatal) break
    }
    return concluded(findings, options, io, { url: exam.connection.baseURL })
  },
}

function concluded(
  findings: readonly Finding[],
  { json }: Invocation['options'],
  io: Io,
  about: { readonly url?: string } = {},
): Verdict {
  const verdict = verdictOf(findings)
  if (json === true) io.stdout.write(`${visibleJson({ ...about, exit: verdict.code, findings }, 2)}\n`)
  return verdict
}

function isAsking({ flags }: OptionSpec): boolean {
  return ASKING.some(name => new RegExp(`--${name}(?= |$)`).test(flags))
}

function text(key: string, value: unknown): Record<string, string> {
  return typeof value === 'string' ? { [key]: value } : {}
}

/** What was not seen in time is no proof that the endpoint works, unless a reply has come. */
function timeIsUp(seconds: number, findings: readonly Finding[]): Finding {
  const answered = findings.some(({ name, state }) => (name === 'chat' || name === 'completions') && state === 'fine')
  return {
    name: 'time',
    state: answered ? 'off' : 'broken',
    seen: `${seconds} s are over, and the rest was not looked at`,
    fix: 'Give it longer: --timeout 600; a model that is still loading may need it.',
    ...(answered ? {} : { fatal: true }),
  }
}

/** A check that met what no check expects: the others still tell something. */
function failed(error: unknown): Finding {
  const { message, hint } = error as Partial<SaydoError>
  return { name: 'a check', state: 'broken', seen: visible(message ?? String(error)), ...(hint ? { fix: hint } : {}) }
}

function verdictOf(findings: readonly Finding[]): Verdict {
  const fatal = findings.find(finding => finding.fatal)
  if (fatal) return { code: 3, line: `not usable: ${fatal.name}` }
  const off = findings.filter(({ state }) => state === 'off' || state === 'broken').map(({ name }) => name)
  if (off.length === 0) return { code: 0, line: `fine: ${counted(findings.length, 'check')}` }
  return { code: 1, line: `usable, but ${off.length} of ${counted(findings.length, 'check')} found something: ${off.join(', ')}` }
}
