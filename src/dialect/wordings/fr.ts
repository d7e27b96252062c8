// What models are told about each dialect in French, in one module that is loaded when the language is first wanted.
import bracket from '../../../prompts/fr/dialects/bracket.hbs'
import chat from '../../../prompts/fr/dialects/chat.hbs'
import json from '../../../prompts/fr/dialects/json.hbs'
import pythonic from '../../../prompts/fr/dialects/pythonic.hbs'
import xml from '../../../prompts/fr/dialects/xml.hbs'
import type { Wordings } from '../wording.js'

export const wordings: Wordings = { bracket, chat, json, pythonic, xml }
