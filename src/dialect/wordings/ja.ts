// What models are told about each dialect in Japanese, in one module that is loaded when the language is first wanted.
import bracket from '../../../prompts/ja/dialects/bracket.hbs'
import chat from '../../../prompts/ja/dialects/chat.hbs'
import json from '../../../prompts/ja/dialects/json.hbs'
import pythonic from '../../../prompts/ja/dialects/pythonic.hbs'
import xml from '../../../prompts/ja/dialects/xml.hbs'
import type { Wordings } from '../wording.js'

export const wordings: Wordings = { bracket, chat, json, pythonic, xml }
