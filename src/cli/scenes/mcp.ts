// `--agent mcp`: the tools of MCP servers, which a file in the common form names, or a URL.
import { SaydoError } from '../../core/errors.js'
import type { Scene } from './scene.js'

export const mcp: Scene = {
  name: 'mcp',
  summary: 'the tools of MCP servers',
  options: [
    { flags: '--mcp <file>', description: 'the servers, as JSON: {"mcpServers": {"NAME": {"command": …} or {"url": …}}}' },
    { flags: '--mcp-url <url>', description: 'one server over HTTP' },
  ],
  async build() {
    throw new SaydoError('CONFIG', 'the agent mcp is not there yet')
  },
  async needs() {
    return []
  },
}
