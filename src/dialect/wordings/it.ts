// What models are told about each dialect in Italian, in one module that is loaded when the language is first wanted.
import bracket from '../../../prompts/it/dialects/bracket.hbs'
import chat from '../../../prompts/it/dialects/chat.hbs'
import json from '../../../prompts/it/dialects/json.hbs'
import pythonic from '../../../prompts/it/dialects/pythonic.hbs'
import xml from '../../../prompts/it/dialects/xml.hbs'
import type { Wordings } from '../wording.js'

export const wordings: Wordings = { bracket, chat, json, pythonic, xml }
