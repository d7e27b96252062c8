// `--agent mcp`: the tools of MCP servers, which a file in the common form names, or a URL.
import { join, resolve } from 'node:path'
import { counted } from '../../core/counted.js'
import { SaydoError } from '../../core/errors.js'
import { secretPartsOfUrl } from '../../model/endpoint.js'
import type { McpServer, McpServerSpec } from '../../toolsets/mcp/server.js'
import type { StartProcess } from '../../toolsets/mcp/server-process.js'
import type { SandboxOptions } from '../../toolsets/sandbox/settings.js'
import { RECORDS } from '../../transcript/runs-folder.js'
import type { Io } from '../command.js'
import { type Finding, faultFinding } from '../doctor/finding.js'
import { readJson5 } from '../json5-file.js'
import { hideFromGit } from '../run-files.js'
import type { Settings } from '../settings.js'
import { ALLOW_HOST, isWithin, SANDBOX, sandboxOf, WORKSPACE } from './sandbox-options.js'
import type { Scene, Stage } from './scene.js'

type Specs = Readonly<Record<string, McpServerSpec>>

export const mcp: Scene = {
  name: 'mcp',
  summary: 'the tools of MCP servers',
  options: [
    {
      flags: '--mcp <file>',
      description: 'the servers: {"mcpServers": {"NAME": {"command": …, "args": […]} or {"url": …}}}',
      returns: isWithin,
    },
    {
      flags: '--mcp-url <url>',
      description: 'one server over HTTP',
      // without what it keeps for itself it is another one
      returns: url => typeof url === 'string' && secretPartsOfUrl(url).length === 0,
    },
    {
      flags: '--mcp-trust <name>',
      description: 'believe what this server says about its tools: which only read, and need no confirmation (repeatable)',
      repeat: true,
    },
    WORKSPACE,
    SANDBOX,
    ALLOW_HOST,
  ],
  async build(parts, stage) {
    const { MCPAgent } = await import('../../agents/mcp-agent.js')
    const sandbox = sandboxFor(stage)
    const { workspace } = stage.settings.options
    return new MCPAgent({
      ...parts,
      servers: await serversOf(stage.settings.options, stage.io),
      env: stage.io.env,
      // who wants no record of a run wants none of its tools
      ...(stage.settings.options.record === false ? {} : { pinFile: pinsIn(stage.io.cwd) }),
      ...(stage.ask ? { ask: stage.ask } : {}),
      ...(sandbox ? { sandbox } : {}),
      // without a sandbox it is what servers are told, not what they are held to
      ...(typeof workspace === 'string' ? { roots: [resolve(stage.io.cwd, workspace)] } : {}),
    })
  },
  async secrets(options, io) {
    if (options.mcp === undefined && options.mcpUrl === undefined) return {}
    const [{ secretParts }, { mcpServersIn }, { secretsIn }] = await Promise.all([
      import('../../model/endpoint.js'),
      import('../../toolsets/mcp/server.js'),
      import('../../transcript/secrets.js'),
    ])
    // what is wrong with the file is said where its servers are wanted
    const servers = await serversOf(options, io)
      .then(specs => mcpServersIn(specs, io.env))
      .catch(() => [])
    const named = servers.flatMap(server => [
      ...Object.entries(server.kind === 'stdio' ? secretsIn(server.env) : server.headers).map(([name, value]) => [
        `${name} of ${server.name}`,
        secretParts(value),
      ]),
      ...(server.kind === 'stdio' ? [] : [[`URL of ${server.name}`, secretPartsOfUrl(server.url)]]),
    ])
    return Object.fromEntries(named)
  },
  async needs(stage) {
    const [{ requireMcpSdk }, { mcpServersIn }] = await Promise.all([
      import('../../toolsets/mcp-client.js'),
      import('../../toolsets/mcp/server.js'),
    ])
    const servers = mcpServersIn(await serversOf(stage.settings.options, stage.io), stage.io.env)
    try {
      await requireMcpSdk()
    } catch (error) {
      return [faultFinding('package', error, { state: 'broken', fatal: true })]
    }
    const here = { name: 'package', state: 'fine', seen: '@modelcontextprotocol/sdk is there' } as const
    const { start, close } = await placeOf(stage)
    try {
      return [here, ...(await Promise.all(servers.map(server => serverFinding(server, start, stage.io.signal))))]
    } finally {
      await close()
    }
  },
}

/** Connects to the server, and closes it. */
async function serverFinding(server: McpServer, start: StartProcess, signal: AbortSignal): Promise<Finding> {
  const [{ Connection }, { DEFAULT_SETTINGS }] = await Promise.all([
    import('../../toolsets/mcp/connection.js'),
    import('../../toolsets/mcp/settings.js'),
  ])
  const news: string[] = []
  const started = performance.now()
  const connection = new Connection(server, DEFAULT_SETTINGS, { start, report: message => news.push(message) })
  await connection.open(signal)
  const { isUp, why, title, tools } = connection
  await connection.close()
  const about = { name: server.name, ms: performance.now() - started }
  if (!isUp) return { ...about, state: 'broken', seen: why, fix: fixFor(server.kind) }
  const seen = [`${title || 'it answers'}, ${counted(tools.length, 'tool')}`, ...news].join('; ')
  return { ...about, state: news.length > 0 ? 'off' : 'fine', seen }
}

/** Where servers with a command are started. */
async function placeOf(stage: Stage): Promise<{ readonly start: StartProcess; close(): Promise<void> }> {
  const options = sandboxFor(stage)
  if (!options) return { start: (await import('../../toolsets/mcp/local-process.js')).startLocally, close: async () => {} }
  const [{ openSandbox }, { startIn }] = await Promise.all([
    import('../../toolsets/sandbox/open-sandbox.js'),
    import('../../toolsets/mcp/sandboxed-process.js'),
  ])
  const sandbox = await openSandbox(options)
  return { start: startIn(sandbox), close: () => sandbox.destroy() }
}

/** Undefined for servers that run on this machine, which they do unless it is said otherwise. */
function sandboxFor(stage: Stage): SandboxOptions | undefined {
  const { sandbox = 'local' } = stage.settings.options
  return sandbox === 'local' ? undefined : sandboxOf(stage)
}

/** Beside the records of runs, where git does not see them. */
function pinsIn(cwd: string): string {
  try {
    hideFromGit(join(cwd, RECORDS))
  } catch {
    // nothing can be written there: it is told when that is wanted
  }
  return join(cwd, RECORDS, 'mcp-pins.json')
}

function fixFor(kind: string): string {
  return kind === 'stdio'
    ? 'Run its command by hand: it should wait for input, and say on stderr what is wrong.'
    : 'Ask for its address with curl, and look at the headers that it wants.'
}

/** Rejects with `CONFIG` when none is named, or the file is none. */
async function serversOf(options: Settings['options'], io: Io): Promise<Specs> {
  const { mcp: file, mcpUrl, mcpTrust } = options
  if (typeof file !== 'string' && typeof mcpUrl !== 'string')
    throw new SaydoError('CONFIG', 'no MCP server is named', {
      hint: 'give --mcp servers.json, or --mcp-url http://localhost:3001/mcp',
    })
  const read = typeof file === 'string' ? await readJson5(resolve(io.cwd, file), file) : {}
  const { serverMapOf } = await import('../../toolsets/mcp/server.js')
  const map = serverMapOf(read)
  if (!map)
    throw new SaydoError('CONFIG', `${String(file)} holds no servers`, { hint: 'give {"mcpServers": {"NAME": {"command": …}}}' })
  const specs = { ...map, ...(typeof mcpUrl === 'string' ? { server: { url: mcpUrl } } : {}) } as Specs
  const trusted = (Array.isArray(mcpTrust) ? mcpTrust : []).map(String)
  const strange = trusted.find(name => !Object.hasOwn(specs, name))
  if (strange !== undefined)
    throw new SaydoError('CONFIG', `--mcp-trust names ${strange}, which is no server`, {
      hint: `there are ${Object.keys(specs).join(', ')}`,
    })
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, trusted.includes(name) ? { ...spec, trust: true } : spec]),
  )
}
