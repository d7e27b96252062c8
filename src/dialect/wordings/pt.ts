// What models are told about each dialect in Portuguese, in one module that is loaded when the language is first wanted.
import bracket from '../../../prompts/pt/dialects/bracket.hbs'
import chat from '../../../prompts/pt/dialects/chat.hbs'
import json from '../../../prompts/pt/dialects/json.hbs'
import pythonic from '../../../prompts/pt/dialects/pythonic.hbs'
import xml from '../../../prompts/pt/dialects/xml.hbs'
import type { Wordings } from '../wording.js'

export const wordings: Wordings = { bracket, chat, json, pythonic, xml }
