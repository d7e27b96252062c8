// What models are told about each dialect in Spanish, in one module that is loaded when the language is first wanted.
import bracket from '../../../prompts/es/dialects/bracket.hbs'
import chat from '../../../prompts/es/dialects/chat.hbs'
import json from '../../../prompts/es/dialects/json.hbs'
import pythonic from '../../../prompts/es/dialects/pythonic.hbs'
import xml from '../../../prompts/es/dialects/xml.hbs'
import type { Wordings } from '../wording.js'

export const wordings: Wordings = { bracket, chat, json, pythonic, xml }
