// What models are told about each dialect in Korean, in one module that is loaded when the language is first wanted.
import bracket from '../../../prompts/ko/dialects/bracket.hbs'
import chat from '../../../prompts/ko/dialects/chat.hbs'
import json from '../../../prompts/ko/dialects/json.hbs'
import pythonic from '../../../prompts/ko/dialects/pythonic.hbs'
import xml from '../../../prompts/ko/dialects/xml.hbs'
import type { Wordings } from '../wording.js'

export const wordings: Wordings = { bracket, chat, json, pythonic, xml }
