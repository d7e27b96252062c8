// French: its wording and its examples, in one module that is loaded when the language is first wanted.

import browser from '../../../prompts/fr/browser.hbs'
import mcp from '../../../prompts/fr/mcp.hbs'
import format from '../../../prompts/fr/partials/format.hbs'
import tools from '../../../prompts/fr/partials/tools.hbs'
import react from '../../../prompts/fr/react.hbs'
import sandbox from '../../../prompts/fr/sandbox.hbs'
import swe from '../../../prompts/fr/swe.hbs'
import texts from '../../../prompts/texts/fr.hbs'
import type { Language } from '../bundled.js'
import { french } from '../examples/fr.js'

export const language: Language = {
  texts,
  templates: { react, mcp, browser, sandbox, swe },
  partials: { tools, format },
  examples: french,
}
