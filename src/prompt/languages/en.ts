// English: its wording and its examples, in one module that is loaded when the language is first wanted.

import browser from '../../../prompts/browser.hbs'
import mcp from '../../../prompts/mcp.hbs'
import format from '../../../prompts/partials/format.hbs'
import tools from '../../../prompts/partials/tools.hbs'
import react from '../../../prompts/react.hbs'
import sandbox from '../../../prompts/sandbox.hbs'
import swe from '../../../prompts/swe.hbs'
import texts from '../../../prompts/texts/en.hbs'
import type { Language } from '../bundled.js'
import { english } from '../examples/en.js'

export const language: Language = {
  texts,
  templates: { react, mcp, browser, sandbox, swe },
  partials: { tools, format },
  examples: english,
}
