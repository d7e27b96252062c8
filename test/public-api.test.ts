import { expect, test } from 'vitest'

test('saydo exports these names and no others', async () => {
  expect(Object.keys(await import('../src/index.js')).sort()).toEqual([
    'BaseAgent',
    'ReActAgent',
    'SaydoError',
    'Scratchpad',
    'ToolCallAgent',
    'ToolRegistry',
    'ToolUnavailableError',
    'askHumanTool',
    'createReplyParser',
    'defineDialect',
    'dialectByName',
    'formatRun',
    'hostTools',
    'labelDialect',
    'listModels',
    'loadTemplate',
    'openJournal',
    'openaiModel',
    'parseReply',
    'prettify',
    'react',
    'readJournal',
    'salvageJournal',
    'scriptedModel',
    'terminateTool',
    'tool',
    'transcriptOf',
  ])
})

test('saydo/testing exports these names and no others', async () => {
  expect(Object.keys(await import('../src/testing.js')).sort()).toEqual(['scriptedModel'])
})
