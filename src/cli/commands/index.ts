// The table of commands: adding one is a file here and a line below.
import type { Command } from '../command.js'
import { chat } from './chat.js'
import { demo } from './demo.js'
import { doctor } from './doctor.js'
import { explain } from './explain.js'
import { fixtures } from './fixtures.js'
import { parse } from './parse.js'
import { prompt } from './prompt.js'
import { resume } from './resume.js'
import { run } from './run.js'
import { runs } from './runs.js'
import { tools } from './tools.js'
import { trace } from './trace.js'

export const commands: readonly Command[] = [
  run,
  chat,
  resume,
  demo,
  runs,
  trace,
  fixtures,
  doctor,
  parse,
  prompt,
  explain,
  tools,
]
