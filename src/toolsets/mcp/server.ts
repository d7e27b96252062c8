// The common file of MCP servers, `{"mcpServers": {NAME: {command …} | {url …}}}`, as data → servers to connect to. Everything wrong in it is said here.
import { SaydoError } from '../../core/errors.js'
import { isObject } from '../../core/json.js'

/** One server, as it stands in such a file. Further keys, which other programs know, are passed over. */
export interface McpServerSpec {
  /** `stdio`, `http` or `sse`; default by `command` and `url`. For a URL without a type: HTTP, and SSE where the server is an older one. */
  readonly type?: string
  readonly command?: string
  readonly args?: readonly string[]
  /** Besides a few variables such as PATH, which every server gets. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Names of the only tools that are wanted, as the server calls them; default all. */
  readonly tools?: readonly string[]
  /**
   * What it says about its tools is believed: one that only reads needs no caution, one that destroys is not asked about, one that changed is called
   * all the same. Default false.
   */
  readonly trust?: boolean
  /** Names of tools, as the server calls them, whose success ends the run with their result as its answer; of a trusted server alone. */
  readonly finishes?: readonly string[]
  readonly disabled?: boolean
}

export type McpServer = {
  readonly name: string
  readonly tools: readonly string[] | undefined
  readonly trust: boolean
  readonly finishes: readonly string[]
} & (
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string | undefined
    }
  | { readonly kind: 'http' | 'sse' | 'either'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
)

type Env = Readonly<Record<string, string | undefined>>

/** The servers of such a file, or its inner map alone; disabled ones are left out. `${NAME}` in a text is the variable of `env`. Throws `CONFIG`. */
export function mcpServersIn(file: unknown, env: Env): readonly McpServer[] {
  const map = serverMapOf(file)
  if (!map) throw wrong('the servers are no object', 'Give {"mcpServers": {"NAME": {"command": "npx", "args": […]}}}.')
  const servers = Object.entries(map).flatMap(([name, spec]) => {
    if (!isObject(spec)) throw wrong(`the server ${name} is no object`)
    return spec.disabled === true ? [] : [serverOf(name, spec as McpServerSpec, env)]
  })
  if (servers.length === 0) throw wrong('there are no servers', 'Name at least one that is not disabled.')
  return servers
}

/** Its inner map, by the names of servers; undefined where there is none. What stands in it is not checked. */
export function serverMapOf(file: unknown): Readonly<Record<string, unknown>> | undefined {
  const map = isObject(file) ? (file.mcpServers ?? file.servers ?? file) : file
  return isObject(map) ? map : undefined
}

function serverOf(name: string, spec: McpServerSpec, env: Env): McpServer {
  const where = `the server ${name}`
  if (!/^[\w.-]{1,64}$/.test(name))
    throw wrong(`the name of a server is ${JSON.stringify(name)}`, 'Use letters, digits, dots, - and _, at most 64.')
  const finishes = textsIn(spec.finishes, `finishes of ${where}`) ?? []
  const trust = spec.trust === true
  if (finishes.length > 0 && !trust)
    throw wrong(`${where} is to end runs, and is not trusted`, 'Trust it, or leave `finishes` out.')
  const known = { name, tools: textsIn(spec.tools, `tools of ${where}`), trust, finishes }
  const kind = kindOf(spec, where)
  const expand = (text: string) => expanded(text, env, where)
  if (kind === 'stdio') {
    return {
      ...known,
      kind,
      command: expand(textIn(spec.command, `command of ${where}`)),
      args: (textsIn(spec.args, `args of ${where}`) ?? []).map(expand),
      env: mapOf(spec.env, `env of ${where}`, expand),
      cwd: spec.cwd === undefined ? undefined : expand(textIn(spec.cwd, `cwd of ${where}`)),
    }
  }
  const url = expand(textIn(spec.url, `url of ${where}`))
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw wrong(`the url of ${where} is no http URL`, 'Give http://… or https://….')
  return { ...known, kind, url, headers: mapOf(spec.headers, `headers of ${where}`, expand) }
}

function kindOf({ type, command, url }: McpServerSpec, where: string): McpServer['kind'] {
  if (type === undefined) {
    if ((command === undefined) === (url === undefined))
      throw wrong(`${where} needs either a command or a url`, 'A command is started here, a url is that of a server that runs.')
    return command === undefined ? 'either' : 'stdio'
  }
  const kinds: Readonly<Record<string, McpServer['kind']>> = {
    stdio: 'stdio',
    http: 'http',
    'streamable-http': 'http',
    streamableHttp: 'http',
    sse: 'sse',
  }
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (kind === undefined) throw wrong(`${where} has the type ${JSON.stringify(type)}`, 'There are stdio, http and sse.')
  return kind
}

/** `${NAME}`, `${env:NAME}`, `${NAME:-otherwise}`. */
function expanded(text: string, env: Env, where: string): string {
  return text.replace(/\$\{(?:env:)?(\w{1,100})(?::-([^}]{0,400}))?\}/g, (_, name: string, otherwise?: string) => {
    const value = env[name] ?? otherwise
    if (value === undefined) throw wrong(`${where} names the variable ${name}, which is not set`, `export ${name}=…`)
    return value
  })
}

function textIn(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw wrong(`the ${what} is ${value === undefined ? 'missing' : 'no text'}`)
}

function textsIn(value: unknown, what: string): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value
  throw wrong(`the ${what} are no list of texts`)
}

function mapOf(value: unknown, what: string, expand: (text: string) => string): Readonly<Record<string, string>> {
  if (value === undefined) return {}
  if (!isObject(value)) throw wrong(`${what} is no object`)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(String(item))]))
}

function wrong(message: string, hint?: string): SaydoError {
  return new SaydoError('CONFIG', message, hint === undefined ? {} : { hint })
}
