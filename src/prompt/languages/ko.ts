// Korean: its wording and its examples, in one module that is loaded when the language is first wanted.

import browser from '../../../prompts/ko/browser.hbs'
import mcp from '../../../prompts/ko/mcp.hbs'
import format from '../../../prompts/ko/partials/format.hbs'
import tools from '../../../prompts/ko/partials/tools.hbs'
import react from '../../../prompts/ko/react.hbs'
import sandbox from '../../../prompts/ko/sandbox.hbs'
import swe from '../../../prompts/ko/swe.hbs'
import texts from '../../../prompts/texts/ko.hbs'
import type { Language } from '../bundled.js'
import { korean } from '../examples/ko.js'

export const language: Language = {
  texts,
  templates: { react, mcp, browser, sandbox, swe },
  partials: { tools, format },
  examples: korean,
}
