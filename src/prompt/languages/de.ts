// German: its wording and its examples, in one module that is loaded when the language is first wanted.

import browser from '../../../prompts/de/browser.hbs'
import mcp from '../../../prompts/de/mcp.hbs'
import format from '../../../prompts/de/partials/format.hbs'
import tools from '../../../prompts/de/partials/tools.hbs'
import react from '../../../prompts/de/react.hbs'
import sandbox from '../../../prompts/de/sandbox.hbs'
import swe from '../../../prompts/de/swe.hbs'
import texts from '../../../prompts/texts/de.hbs'
import type { Language } from '../bundled.js'
import { german } from '../examples/de.js'

export const language: Language = {
  texts,
  templates: { react, mcp, browser, sandbox, swe },
  partials: { tools, format },
  examples: german,
}
