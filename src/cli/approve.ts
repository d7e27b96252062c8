// A call that wants a confirmation → the question on the terminal, and what its answer means. Whatever is not a clear yes is a no.
import type { JsonObject } from '../core/json.js'
import type { Approval, Tool, ToolContext } from '../core/tool.js'
import type { Confirm } from '../tools/approval.js'
import type { Paint } from './paint.js'
import type { Person } from './person.js'
import { visible, visibleJson } from './visible.js'

/** Longest input that is shown whole, in characters; of a longer one the beginning and the end, and how much is missing. */
const SHOWN = 20_000

const KEYS = '[y]es  [n]o  [a]lways this tool  [e]dit the input  [q]uit, or say why not'

/** `say` tells the user something once. */
export function approver(whom: unknown, person: Person, paint: Paint, say: (line: string) => void): Confirm {
  // what may be done twice by that is more than was allowed
  if (whom === 'all') return (_tool, _input, { again }) => !again
  if (whom === 'none') return () => 'Such calls are not allowed in this run.'
  return askAtTerminal(person, paint, say)
}

function askAtTerminal(person: Person, paint: Paint, say: (line: string) => void): Confirm {
  const always = new Set<string>()
  let told = false
  const nobody = (tool: Tool): Approval => {
    if (!told)
      say(`${tool.name} must be confirmed, and nobody is at a terminal to do it: denied (--approve all allows such calls)`)
    told = true
    return 'Nobody is there to confirm it.'
  }
  return async (tool, input, context) => {
    if (always.has(tool.name) && !context.again) return true
    let wrong = ''
    while (!context.signal.aborted) {
      const line = await person.ask(`${wrong}${questionAbout(tool, input, context, paint)}`, context.signal)
      if (line === undefined) break
      const answer = line.trim()
      switch (answer.toLowerCase()) {
        case 'y':
        case 'yes':
          return true
        case '':
        case 'n':
        case 'no':
          return false
        case 'a':
        case 'always':
          always.add(tool.name)
          return true
        case 'q':
        case 'quit':
          return { stop: 'the user stopped the run' }
        case 'e':
        case 'edit': {
          const edited = await editInput(tool, input, person, context)
          if (typeof edited !== 'string') return edited
          wrong = edited
          continue
        }
        default:
          return answer
      }
    }
    return nobody(tool)
  }
}

function questionAbout({ name }: Tool, input: JsonObject, { again }: ToolContext, paint: Paint): string {
  const why = again
    ? 'was begun before the run was cut short; nobody knows whether it was done. Once more?'
    : 'wants to be confirmed:'
  return `${paint.yellow(`${visible(name)} ${why}`)}\n${shown(visibleJson(input, 2))}\n${KEYS}: `
}

function shown(json: string): string {
  if (json.length <= SHOWN) return json
  const half = SHOWN / 2
  return `${json.slice(0, half)}\n[… ${json.length - SHOWN} characters not shown …]\n${json.slice(-half)}`
}

/** The input to run in place of the model's, or what is wrong with it, to be shown above the question. */
async function editInput(
  tool: Tool,
  input: JsonObject,
  person: Person,
  { signal }: ToolContext,
): Promise<{ readonly input: JsonObject } | string> {
  const line = await person.edit('input: ', visibleJson(input), signal)
  if (line === undefined || line.trim() === '') return ''
  const [{ readInput }, { checkInput }, { loadTexts }] = await Promise.all([
    import('../tools/copy-input.js'),
    import('../tools/validate.js'),
    import('../prompt/index.js'),
  ])
  let edited: JsonObject | undefined
  try {
    edited = readInput(JSON.parse(line))
  } catch (error) {
    return `That is not JSON: ${visible((error as Error).message)}\n`
  }
  if (edited === undefined) return 'That is no JSON object.\n'
  const check = await checkInput(tool, edited, await loadTexts('en'))
  if (check.ok) return { input: edited }
  return check.issues.map(({ path, message }) => `${visible(`${path || 'the input'}: ${message}`)}\n`).join('')
}
