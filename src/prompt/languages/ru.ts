// Russian: its wording and its examples, in one module that is loaded when the language is first wanted.

import browser from '../../../prompts/ru/browser.hbs'
import mcp from '../../../prompts/ru/mcp.hbs'
import format from '../../../prompts/ru/partials/format.hbs'
import tools from '../../../prompts/ru/partials/tools.hbs'
import react from '../../../prompts/ru/react.hbs'
import sandbox from '../../../prompts/ru/sandbox.hbs'
import swe from '../../../prompts/ru/swe.hbs'
import texts from '../../../prompts/texts/ru.hbs'
import type { Language } from '../bundled.js'
import { russian } from '../examples/ru.js'

export const language: Language = {
  texts,
  templates: { react, mcp, browser, sandbox, swe },
  partials: { tools, format },
  examples: russian,
}
