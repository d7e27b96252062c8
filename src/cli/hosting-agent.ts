// An agent whose tools run in processes of their own: these end with its run.
import { ToolCallAgent } from '../agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../agent/tool-call-options.js'
import type { LoadedTools } from './load-tools.js'

export class HostingAgent extends ToolCallAgent {
  readonly #loaded: LoadedTools

  constructor(options: Omit<ToolCallAgentOptions, 'tools'>, loaded: LoadedTools) {
    super({ ...options, tools: loaded.tools })
    this.#loaded = loaded
  }

  protected override async onClose(): Promise<void> {
    await this.#loaded.close()
  }
}
