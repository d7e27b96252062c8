// Spanish: its wording and its examples, in one module that is loaded when the language is first wanted.

import browser from '../../../prompts/es/browser.hbs'
import mcp from '../../../prompts/es/mcp.hbs'
import format from '../../../prompts/es/partials/format.hbs'
import tools from '../../../prompts/es/partials/tools.hbs'
import react from '../../../prompts/es/react.hbs'
import sandbox from '../../../prompts/es/sandbox.hbs'
import swe from '../../../prompts/es/swe.hbs'
import texts from '../../../prompts/texts/es.hbs'
import type { Language } from '../bundled.js'
import { spanish } from '../examples/es.js'

export const language: Language = {
  texts,
  templates: { react, mcp, browser, sandbox, swe },
  partials: { tools, format },
  examples: spanish,
}
