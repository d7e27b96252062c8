// The result of a call, or of reading a resource or a prompt, which may be anything → the text a model reads. Text stays text, line by line; a picture, a
// sound or another file is saved and named; data is JSON. Pictures are shown besides, to a model that can see.
import { type Image, imageOf } from '../../core/image.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/json.js'
import { WithImages } from '../../tools/with-images.js'
import { foreignText } from './foreign-text.js'

/** Saves a file, and says where; rejects when it can't be. */
export type SaveFile = (bytes: Buffer, mimeType: string) => Promise<string>

/** Throws with the text when the result says that the call failed, or is no result. */
export async function callResult(result: JsonObject, save: SaveFile): Promise<string | WithImages> {
  const text = await resultText(result, save)
  const images = Array.isArray(result.content)
    ? (result.content as readonly JsonValue[]).flatMap(part => imageIn(part) ?? [])
    : []
  return images.length === 0 ? text : new WithImages(text, images)
}

async function resultText(result: JsonObject, save: SaveFile): Promise<string> {
  const { content, structuredContent, isError } = result
  if (content !== undefined && !Array.isArray(content)) throw new Error('the result has another shape than results have')
  const parts = await textsOf((content ?? []) as readonly JsonValue[], save)
  const text = parts.join('\n')
  if (isError === true)
    throw new Error(text.trim() || dataText(structuredContent) || 'the server says that it failed, and not why')
  if (content === undefined && structuredContent === undefined) throw new Error('the result has another shape than results have')
  if (structuredContent === undefined || says(text, structuredContent)) return text
  return [text, dataText(structuredContent)].filter(part => part !== '').join('\n')
}

/** The contents of a resource. */
export async function resourceText({ contents }: JsonObject, save: SaveFile): Promise<string> {
  if (!Array.isArray(contents)) throw new Error('the answer holds no contents')
  return (await Promise.all((contents as JsonValue[]).map(item => embedded(item, save)))).join('\n')
}

/** The turns of a prompt. */
export async function promptText({ messages }: JsonObject, save: SaveFile): Promise<string> {
  if (!Array.isArray(messages)) throw new Error('the answer holds no messages')
  const turns = (messages as JsonValue[]).map(async message => {
    const { role, content } = isObject(message) ? message : ({} as JsonObject)
    const text = await textsOf(Array.isArray(content) ? (content as readonly JsonValue[]) : [content ?? null], save)
    return `[${role === 'assistant' ? 'assistant' : 'user'}] ${text.join('\n')}`
  })
  return (await Promise.all(turns)).join('\n')
}

function textsOf(content: readonly JsonValue[], save: SaveFile): Promise<readonly string[]> {
  return Promise.all(content.map(item => partText(item, save)))
}

async function partText(part: JsonValue, save: SaveFile): Promise<string> {
  if (!isObject(part)) return '[something that is no content]'
  const { type, text, data, mimeType, resource, uri, name, description } = part
  if (type === 'text' && typeof text === 'string') return text
  if ((type === 'image' || type === 'audio') && typeof data === 'string') return saved(data, mimeType, save)
  if (type === 'resource') return embedded(resource ?? null, save)
  if (type === 'resource_link' && typeof uri === 'string') {
    const about = [name, mimeType, description].filter(said => typeof said === 'string').map(said => foreignText(said, 200))
    return `[resource ${foreignText(uri, 500)}${about.length > 0 ? `: ${about.join(', ')}` : ''}]`
  }
  return `[content of the kind ${foreignText(String(type), 40)}]`
}

/** As a part of its own, or in a resource. */
function imageIn(part: JsonValue): Image | undefined {
  const { type, data, resource } = isObject(part) ? part : ({} as JsonObject)
  if (type === 'image' && typeof data === 'string') return imageOf(data, 'a picture of the result')
  const { uri, blob } = isObject(resource) ? resource : ({} as JsonObject)
  return imageOf(blob, foreignText(String(uri), 200))
}

async function embedded(resource: JsonValue, save: SaveFile): Promise<string> {
  const { uri, text, blob, mimeType } = isObject(resource) ? resource : ({} as JsonObject)
  const name = typeof uri === 'string' ? foreignText(uri, 500) : 'without an address'
  if (typeof text === 'string') return `[resource ${name}]\n${text}`
  if (typeof blob === 'string') return `[resource ${name}] ${await saved(blob, mimeType, save)}`
  return `[resource ${name}, without contents]`
}

async function saved(base64: string, mimeType: JsonValue | undefined, save: SaveFile): Promise<string> {
  const bytes = Buffer.from(base64, 'base64')
  const type =
    typeof mimeType === 'string' && /^\w[\w.+-]{0,40}\/\w[\w.+-]{0,60}$/.test(mimeType) ? mimeType : 'application/octet-stream'
  const size = bytes.length < 1024 ? `${bytes.length} bytes` : `${Math.round(bytes.length / 1024)} kB`
  const where = await save(bytes, type).then(
    path => `saved as ${path}`,
    () => 'which could not be saved',
  )
  return `[${type}, ${size}, ${where}]`
}

function dataText(data: JsonValue | undefined): string {
  return data === undefined ? '' : JSON.stringify(data)
}

/** Whether a text is that data already: servers give both. */
function says(text: string, data: JsonValue): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(data)
  } catch {
    return false
  }
}
