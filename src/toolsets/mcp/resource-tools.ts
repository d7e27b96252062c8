// Servers with resources or prompts → the tools that list and read them. They are ours: no server's tool may be called like one of them.
import { isObject, type JsonObject, type JsonValue } from '../../core/json.js'
import type { Tool } from '../../core/tool.js'
import { tool } from '../../tools/define.js'
import type { Connection } from './connection.js'
import { foreignText } from './foreign-text.js'
import { promptText, resourceText, type SaveFile } from './result.js'

export const RESOURCE_TOOLS = ['list_resources', 'read_resource', 'list_prompts', 'get_prompt'] as const

/** Most entries of one list, and pages of it. */
const MOST = 200
const MOST_PAGES = 16

/** None for a kind that no server has. `timeoutMs`: for one call. */
export function resourceTools(connections: readonly Connection[], save: SaveFile, timeoutMs: number): readonly Tool[] {
  const withResources = connections.filter(each => each.offers('resources'))
  const withPrompts = connections.filter(each => each.offers('prompts'))
  return [
    ...(withResources.length > 0 ? toolsForResources(withResources, save, timeoutMs) : []),
    ...(withPrompts.length > 0 ? toolsForPrompts(withPrompts, save, timeoutMs) : []),
  ]
}

function toolsForResources(servers: readonly Connection[], save: SaveFile, timeoutMs: number): readonly Tool[] {
  return [
    tool({
      name: 'list_resources',
      description: 'Lists the resources of the connected servers, such as files and records, with their addresses.',
      effect: 'none',
      timeoutMs,
      run: async (_, { signal }) => {
        const lists = servers.map(async server => {
          const resources = await listed(server, 'resources', 'resources/list', signal)
          // not every server with resources has templates of them
          const templates = await listed(server, 'resourceTemplates', 'resources/templates/list', signal).catch(() => [])
          return linesOf(server, servers, [...resources, ...templates], ({ uri, uriTemplate }) => uri ?? uriTemplate)
        })
        return (await Promise.all(lists)).flat().join('\n')
      },
    }),
    tool({
      name: 'read_resource',
      description: 'Reads one resource.',
      effect: 'none',
      timeoutMs,
      input: schema(servers, { uri: { type: 'string', description: 'its address, as list_resources gives it' } }, ['uri']),
      run: async ({ uri, server }, { signal }) =>
        resourceText(await chosen(servers, server).request('resources/read', { uri: uri ?? '' }, signal), save),
    }),
  ]
}

function toolsForPrompts(servers: readonly Connection[], save: SaveFile, timeoutMs: number): readonly Tool[] {
  return [
    tool({
      name: 'list_prompts',
      description: 'Lists the prompts that the connected servers offer.',
      effect: 'none',
      timeoutMs,
      run: async (_, { signal }) => {
        const lists = servers.map(async server =>
          linesOf(server, servers, await listed(server, 'prompts', 'prompts/list', signal), promptName),
        )
        return (await Promise.all(lists)).flat().join('\n')
      },
    }),
    tool({
      name: 'get_prompt',
      description: 'Gives the text of one prompt of a server.',
      effect: 'none',
      timeoutMs,
      input: schema(
        servers,
        {
          name: { type: 'string', description: 'its name, as list_prompts gives it' },
          arguments: { type: 'object', additionalProperties: { type: 'string' }, description: 'what it wants to be told' },
        },
        ['name'],
      ),
      run: async ({ name, arguments: given, server }, { signal }) => {
        const params = { name: name ?? '', ...(given === undefined ? {} : { arguments: given }) }
        return promptText(await chosen(servers, server).request('prompts/get', params, signal), save)
      },
    }),
  ]
}

/** With several servers it must be said which one is meant. */
function schema(servers: readonly Connection[], properties: JsonObject, required: readonly string[]): JsonObject {
  if (servers.length === 1) return { type: 'object', properties, required }
  const server = { type: 'string', enum: servers.map(each => each.server.name) }
  return { type: 'object', properties: { ...properties, server }, required: [...required, 'server'] }
}

function chosen(servers: readonly Connection[], name: JsonValue | undefined): Connection {
  const [only] = servers
  const found = servers.length === 1 ? only : servers.find(({ server }) => server.name === name)
  if (!found) throw new Error(`there is no server ${String(name)}`)
  return found
}

async function listed(server: Connection, field: string, method: string, signal: AbortSignal): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = []
  let cursor: JsonValue | undefined
  for (let page = 0; page < MOST_PAGES && all.length < MOST; page++) {
    const answer = await server.request(method, typeof cursor === 'string' ? { cursor } : {}, signal)
    const items = answer[field]
    if (!Array.isArray(items)) throw new Error(`the answer of ${server.server.name} holds no ${field}`)
    all.push(...(items as JsonValue[]).filter(isObject))
    cursor = answer.nextCursor
    if (typeof cursor !== 'string') break
  }
  return all.slice(0, MOST)
}

function linesOf(
  { server }: Connection,
  servers: readonly Connection[],
  items: readonly JsonObject[],
  nameOf: (item: JsonObject) => JsonValue | undefined,
): readonly string[] {
  const lines = items.map(item => {
    const about = [item.title ?? item.name, item.description].filter(text => typeof text === 'string' && text !== nameOf(item))
    const told = about.length > 0 ? `: ${foreignText(about.join(', '), 200)}` : ''
    return `${foreignText(String(nameOf(item)), 300)}${told}`
  })
  return servers.length === 1 ? lines : [`${server.name}:`, ...lines]
}

/** With what it wants to be told: `review(code, style?)`. */
function promptName({ name, arguments: wanted }: JsonObject): string {
  const parts = (Array.isArray(wanted) ? (wanted as JsonValue[]) : []).filter(isObject)
  return `${String(name)}(${parts.map(part => `${String(part.name)}${part.required === true ? '' : '?'}`).join(', ')})`
}
