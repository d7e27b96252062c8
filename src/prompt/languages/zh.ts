// Chinese: its wording and its examples, in one module that is loaded when the language is first wanted.

import texts from '../../../prompts/texts/zh.hbs'
import browser from '../../../prompts/zh/browser.hbs'
import mcp from '../../../prompts/zh/mcp.hbs'
import format from '../../../prompts/zh/partials/format.hbs'
import tools from '../../../prompts/zh/partials/tools.hbs'
import react from '../../../prompts/zh/react.hbs'
import sandbox from '../../../prompts/zh/sandbox.hbs'
import swe from '../../../prompts/zh/swe.hbs'
import type { Language } from '../bundled.js'
import { chinese } from '../examples/zh.js'

export const language: Language = {
  texts,
  templates: { react, mcp, browser, sandbox, swe },
  partials: { tools, format },
  examples: chinese,
}
