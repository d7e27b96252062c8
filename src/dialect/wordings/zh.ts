// What models are told about each dialect in Chinese, in one module that is loaded when the language is first wanted.
import bracket from '../../../prompts/zh/dialects/bracket.hbs'
import chat from '../../../prompts/zh/dialects/chat.hbs'
import json from '../../../prompts/zh/dialects/json.hbs'
import pythonic from '../../../prompts/zh/dialects/pythonic.hbs'
import xml from '../../../prompts/zh/dialects/xml.hbs'
import type { Wordings } from '../wording.js'

export const wordings: Wordings = { bracket, chat, json, pythonic, xml }
