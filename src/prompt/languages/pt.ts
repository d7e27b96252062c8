// Portuguese: its wording and its examples, in one module that is loaded when the language is first wanted.

import browser from '../../../prompts/pt/browser.hbs'
import mcp from '../../../prompts/pt/mcp.hbs'
import format from '../../../prompts/pt/partials/format.hbs'
import tools from '../../../prompts/pt/partials/tools.hbs'
import react from '../../../prompts/pt/react.hbs'
import sandbox from '../../../prompts/pt/sandbox.hbs'
import swe from '../../../prompts/pt/swe.hbs'
import texts from '../../../prompts/texts/pt.hbs'
import type { Language } from '../bundled.js'
import { portuguese } from '../examples/pt.js'

export const language: Language = {
  texts,
  templates: { react, mcp, browser, sandbox, swe },
  partials: { tools, format },
  examples: portuguese,
}
