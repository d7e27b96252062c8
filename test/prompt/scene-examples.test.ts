// The examples of agents that work on files, played with the real tools: what they show is what the tools say.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '../../src/core/sandbox.js'
import type { Tool } from '../../src/core/tool.js'
import { examplesFor } from '../../src/prompt/index.js'
import { Editor } from '../../src/toolsets/editor/editor.js'
import { editorTool } from '../../src/toolsets/editor/editor-tool.js'
import { fileTools } from '../../src/toolsets/sandbox/file-tools.js'
import { openSandbox } from '../../src/toolsets/sandbox/open-sandbox.js'
import { Sessions } from '../../src/toolsets/sandbox/sessions.js'
import { shellTools } from '../../src/toolsets/sandbox/shell-tools.js'
import { bashTool } from '../../src/toolsets/shell/bash-tool.js'
import { Shell } from '../../src/toolsets/shell/shell.js'

const workspace = mkdtempSync(join(tmpdir(), 'saydo-scene-'))
let sandbox: Sandbox
let shell: Shell
let tools: readonly Tool[]

beforeAll(async () => {
  const files = {
    'fees.js': 'exports.fee = kilos => {\n  return 2 * kilos\n}\n',
    'test.js':
      "const got = require('./fees.js').fee(1)\nconsole.log(got === 4 ? 'all fees are right' : 'fee(1) is ' + got + ', wanted 4')\nprocess.exit(got === 4 ? 0 : 1)\n",
    'parcels.csv': 'parcel,kilos\nA,3\nB,5\nC,9\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text)
  sandbox = await openSandbox({ workspace, backend: 'local' })
  shell = await Shell.open(sandbox)
  const place = { editor: new Editor(sandbox), sandbox, folder: sandbox.workspace }
  tools = [
    bashTool(async () => shell),
    editorTool(async () => place),
    ...shellTools(new Sessions(sandbox)),
    ...fileTools(sandbox),
  ]
})

afterAll(async () => {
  await shell.close()
  await sandbox.destroy()
  rmSync(workspace, { recursive: true, force: true })
})

test.each(['code repair', 'file work'])(
  '%s goes as it is shown',
  async wanted => {
    const example = (await examplesFor(tools.map(({ name }) => name))).kept.find(({ name }) => name === wanted)
    const context = { signal: new AbortController().signal, callId: '1.1' }
    expect(example?.steps.length).toBeGreaterThan(2)
    for (const step of example?.steps ?? []) {
      if (!('calls' in step)) continue
      const [{ tool, input }] = step.calls
      const said = await tools.find(({ name }) => name === tool)?.run(input as never, context)
      expect(String(said).replaceAll(sandbox.workspace, '/workspace')).toBe(step.observations[0])
    }
  },
  60_000,
)
