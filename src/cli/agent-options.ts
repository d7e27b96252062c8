// The options of every command that runs an agent: data only, so that help and `--version` stay quick.

import { APPROVE_OPTION } from './approve-option.js'
import type { OptionSpec } from './command.js'
import { number, wholeNumber } from './numbers.js'
import { SCENE_OPTIONS } from './scenes/index.js'
import { STRICT_OPTION } from './strict-option.js'

/** The command line gives a model at most this much of one observation, in characters, unless told otherwise. */
export const MAX_OBSERVE = 10_000

/** The languages there are, here again so that help need not load them. */
export const LANGUAGES = ['en', 'zh', 'de', 'fr', 'es', 'pt', 'it', 'ru', 'ja', 'ko']

export const TOOL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--tools <file>', description: 'load every tool that an ES module exports (repeatable)', repeat: true },
  {
    flags: '--tool <name>',
    description:
      'add a built-in tool: calculator, clock, terminate, ask_human, or the demo’s invented world: search, lookup (repeatable)',
    repeat: true,
  },
  ...SCENE_OPTIONS,
]

/** Who is asked. */
export const ENDPOINT_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '-u, --url <url>',
    description: 'OpenAI-compatible endpoint, e.g. http://localhost:8080 (SAYDO_URL, OPENAI_BASE_URL)',
  },
  {
    flags: '-m, --model <name>',
    description: 'model name; may be left out when the server lists exactly one (SAYDO_MODEL, OPENAI_MODEL)',
  },
  { flags: '--api-key-env <name>', description: 'environment variable that holds the key (default OPENAI_API_KEY)' },
]

export const AGENT_OPTIONS: readonly OptionSpec[] = [
  ...ENDPOINT_OPTIONS,
  ...TOOL_OPTIONS,
  APPROVE_OPTION,
  { flags: '--max-steps <n>', description: 'steps before an answer is asked for (default 30)', parse: wholeNumber(1) },
  {
    flags: '--deadline <seconds>',
    description: 'time for the whole run; a fifth of it is kept for an answer',
    parse: number(0.001),
  },
  { flags: '--max-run-tokens <n>', description: 'tokens of the whole run, prompts and replies', parse: wholeNumber(1) },
  {
    flags: '--context-tokens <n>',
    description: 'the model’s context; earlier steps leave a prompt that exceeds it',
    parse: wholeNumber(1),
  },
  {
    flags: '--tool-choice <choice>',
    description: 'none: no tool may be called; required: no answer before a call (default auto)',
    choices: ['none', 'auto', 'required'],
  },
  { flags: '--answer-schema <file>', description: 'a JSON Schema that the answer must fit; it is printed as JSON' },
  {
    flags: '--max-tokens <n>',
    description: 'tokens in one reply (default 2048 on completions, the server’s on chat)',
    parse: wholeNumber(1),
  },
  {
    flags: '--max-observe <n>',
    description: `characters of one observation (default ${MAX_OBSERVE}, 0 for no limit)`,
    parse: wholeNumber(0),
  },
  { flags: '--vision', description: 'the model can see: send it the images that tools and pages show (default: text alone)' },
  { flags: '--timeout <seconds>', description: 'time for one reply (default 600)', parse: number(0.001) },
  {
    flags: '--dialect <name>',
    description: 'how the model is asked to write: react (default), bracket, json, xml, pythonic, bee, chat',
  },
  { flags: '--api <kind>', description: 'which endpoint to use (default auto)', choices: ['auto', 'chat', 'completions'] },
  { flags: '--no-stream', description: 'ask for whole replies' },
  { flags: '--header <name:value>', description: 'a further request header (repeatable)', parse: readHeader, repeat: true },
  { flags: '--temperature <t>', description: 'sampling temperature (default: the server’s)', parse: number(0) },
  { flags: '--seed <n>', description: 'sampling seed', parse: wholeNumber(0) },
  { flags: '--prompt <file>', description: 'your own Handlebars template in place of the built-in one' },
  { flags: '--lang <code>', description: 'language of the prompt and corrections', choices: LANGUAGES },
  {
    flags: '--labels <code>',
    description: 'labels of one language besides English and Chinese (default: the language of the prompt)',
    choices: LANGUAGES,
  },
  STRICT_OPTION,
  { flags: '--no-examples', description: 'leave the few-shot examples out' },
]

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':')
  if (colon < 1) throw new Error('a header is written as Name: value')
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]
}
