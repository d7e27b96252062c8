import { expect, test } from 'vitest'

test('saydo exports these names and no others', async () => {
  expect(Object.keys(await import('../src/index.js')).sort()).toEqual([
    'BaseAgent',
    'BrowserAgent',
    'MCPAgent',
    'ReActAgent',
    'SWEAgent',
    'SandboxAgent',
    'SandboxError',
    'SaydoError',
    'Scratchpad',
    'ToolCallAgent',
    'ToolRegistry',
    'ToolUnavailableError',
    'WithImages',
    'askHumanTool',
    'createReplyParser',
    'defineDialect',
    'dialectByName',
    'formatRun',
    'hostTools',
    'imageOf',
    'labelDialect',
    'listModels',
    'loadTemplate',
    'openSandbox',
    'openaiModel',
    'parseReply',
    'prettify',
    'react',
    'scriptedModel',
    'terminateTool',
    'tool',
  ])
})

test('saydo/testing exports these names and no others', async () => {
  expect(Object.keys(await import('../src/testing.js')).sort()).toEqual([
    'expectRun',
    'matchers',
    'openFixture',
    'replay',
    'replayDir',
    'replayRun',
    'scriptedModel',
  ])
})

test('saydo/transcript exports these names and no others', async () => {
  expect(Object.keys(await import('../src/transcript.js')).sort()).toEqual([
    'conversationIn',
    'forkOf',
    'openJournal',
    'readJournal',
    'runsIn',
    'salvageJournal',
    'transcriptOf',
  ])
})
