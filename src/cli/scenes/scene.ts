// What an agent of a scene is to the command line: data that help is built from, and functions that load its class only when they are called.
import type { ToolCallAgent } from '../../agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../agent/tool-call-options.js'
import type { Tool } from '../../core/tool.js'
import type { AskPerson } from '../../toolsets/ask-human.js'
import type { Secrets } from '../../transcript/secrets.js'
import type { Io, OptionSpec } from '../command.js'
import type { Finding } from '../doctor/finding.js'
import type { Settings } from '../settings.js'

/** Where a scene is set: what was asked for, the world, and who is told what the user should know. */
export interface Stage {
  readonly settings: Settings
  readonly io: Io
  readonly say: (line: string) => void
  /** How the person is asked; unset where nobody is. */
  readonly ask?: AskPerson
}

export interface Scene {
  /** Behind `--agent`, and the name of the agent in records, so that `saydo resume` finds it again. */
  readonly name: string
  /** For the help of `--agent`, in a few words. */
  readonly summary: string
  /** Shown below the others, and refused without the agent. Scenes may share one: the same object. */
  readonly options: readonly OptionSpec[]
  /** `parts` hold the model, the tools of `--tools` and `--tool`, and every option of a run. Rejects with `CONFIG` for what the user must say. */
  build(parts: ToolCallAgentOptions, stage: Stage): Promise<ToolCallAgent>
  /** Its own tools, where they are the same whatever it works on; unset: they are known once its world is open. */
  tools?(stage: Stage): Promise<readonly Tool[]>
  /** What its own files call secret, so that no record holds it. Asked of every scene: nothing without the options it is about. */
  secrets?(options: Settings['options'], io: Io): Promise<Secrets>
  /** What the agent needs on this machine and whether it is there, for `saydo doctor`. Rejects with `CONFIG` like `build`. */
  needs(stage: Stage): Promise<readonly Finding[]>
}
