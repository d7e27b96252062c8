// Italian: its wording and its examples, in one module that is loaded when the language is first wanted.

import browser from '../../../prompts/it/browser.hbs'
import mcp from '../../../prompts/it/mcp.hbs'
import format from '../../../prompts/it/partials/format.hbs'
import tools from '../../../prompts/it/partials/tools.hbs'
import react from '../../../prompts/it/react.hbs'
import sandbox from '../../../prompts/it/sandbox.hbs'
import swe from '../../../prompts/it/swe.hbs'
import texts from '../../../prompts/texts/it.hbs'
import type { Language } from '../bundled.js'
import { italian } from '../examples/it.js'

export const language: Language = {
  texts,
  templates: { react, mcp, browser, sandbox, swe },
  partials: { tools, format },
  examples: italian,
}
