// Japanese: its wording and its examples, in one module that is loaded when the language is first wanted.

import browser from '../../../prompts/ja/browser.hbs'
import mcp from '../../../prompts/ja/mcp.hbs'
import format from '../../../prompts/ja/partials/format.hbs'
import tools from '../../../prompts/ja/partials/tools.hbs'
import react from '../../../prompts/ja/react.hbs'
import sandbox from '../../../prompts/ja/sandbox.hbs'
import swe from '../../../prompts/ja/swe.hbs'
import texts from '../../../prompts/texts/ja.hbs'
import type { Language } from '../bundled.js'
import { japanese } from '../examples/ja.js'

export const language: Language = {
  texts,
  templates: { react, mcp, browser, sandbox, swe },
  partials: { tools, format },
  examples: japanese,
}
