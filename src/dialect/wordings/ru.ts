// What models are told about each dialect in Russian, in one module that is loaded when the language is first wanted.
import bracket from '../../../prompts/ru/dialects/bracket.hbs'
import chat from '../../../prompts/ru/dialects/chat.hbs'
import json from '../../../prompts/ru/dialects/json.hbs'
import pythonic from '../../../prompts/ru/dialects/pythonic.hbs'
import xml from '../../../prompts/ru/dialects/xml.hbs'
import type { Wordings } from '../wording.js'

export const wordings: Wordings = { bracket, chat, json, pythonic, xml }
