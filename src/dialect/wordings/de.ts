// What models are told about each dialect in German, in one module that is loaded when the language is first wanted.
import bracket from '../../../prompts/de/dialects/bracket.hbs'
import chat from '../../../prompts/de/dialects/chat.hbs'
import json from '../../../prompts/de/dialects/json.hbs'
import pythonic from '../../../prompts/de/dialects/pythonic.hbs'
import xml from '../../../prompts/de/dialects/xml.hbs'
import type { Wordings } from '../wording.js'

export const wordings: Wordings = { bracket, chat, json, pythonic, xml }
