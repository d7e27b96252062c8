// The words of a language → the examples for agents that work on code, on files and with the resources of servers. What is called and what comes back
// is the same in every language: it is what the tools really say, on invented files.
import type { Example } from './examples.js'

/** `thoughts`: one for each call, then one before the answer. */
export interface ExampleWords<Thoughts extends readonly string[]> {
  readonly task: string
  readonly thoughts: Thoughts
  readonly answer: string
}

/** It sees the fault, looks, mends, and believes only the next run of the tests. */
export function codeRepair({ task, thoughts, answer }: ExampleWords<readonly [string, string, string, string, string]>): Example {
  const test = { tool: 'bash', input: { command: 'node test.js' } } as const
  return {
    name: 'code repair',
    task,
    steps: [
      { thought: thoughts[0], calls: [test], observations: ['fee(1) is 2, wanted 4\n[exit code 1]'] },
      {
        thought: thoughts[1],
        calls: [{ tool: 'str_replace_editor', input: { command: 'view', path: 'fees.js' } }],
        observations: ['     1\texports.fee = kilos => {\n     2\t  return 2 * kilos\n     3\t}'],
      },
      {
        thought: thoughts[2],
        calls: [
          {
            tool: 'str_replace_editor',
            input: {
              command: 'str_replace',
              path: 'fees.js',
              old_str: '  return 2 * kilos',
              new_str: '  const fee = 2 * kilos\n  return Math.max(fee, 4)',
            },
          },
        ],
        observations: [EDITED],
      },
      { thought: thoughts[3], calls: [test], observations: ['all fees are right\n[exit code 0]'] },
      { thought: thoughts[4], answer },
    ],
  }
}

export function fileWork({ task, thoughts, answer }: ExampleWords<readonly [string, string, string]>): Example {
  return {
    name: 'file work',
    task,
    steps: [
      {
        thought: thoughts[0],
        calls: [{ tool: 'read_file', input: { path: 'parcels.csv' } }],
        observations: ['parcel,kilos\nA,3\nB,5\nC,9\n'],
      },
      {
        thought: thoughts[1],
        calls: [
          { tool: 'shell', input: { command: "awk -F, '{ sum += $2 } END { print sum }' parcels.csv > sum.txt\ncat sum.txt" } },
        ],
        observations: ['17\n[exit code 0]'],
      },
      { thought: thoughts[2], answer },
    ],
  }
}

export function resource({ task, thoughts, answer }: ExampleWords<readonly [string, string, string]>): Example {
  return {
    name: 'resource',
    task,
    steps: [
      {
        thought: thoughts[0],
        calls: [{ tool: 'list_resources', input: {} }],
        observations: ['harbour://tides: Tides\nharbour://hours: Office hours'],
      },
      {
        thought: thoughts[1],
        calls: [{ tool: 'read_resource', input: { uri: 'harbour://hours' } }],
        observations: ['Oakstead Harbour: the office is open from 7 to 16 on weekdays.'],
      },
      { thought: thoughts[2], answer },
    ],
  }
}

const EDITED = `The file /workspace/fees.js was edited.
@@ -1,3 +1,4 @@
 exports.fee = kilos => {
-  return 2 * kilos
+  const fee = 2 * kilos
+  return Math.max(fee, 4)
 }
It now reads:
     1\texports.fee = kilos => {
     2\t  const fee = 2 * kilos
     3\t  return Math.max(fee, 4)
     4\t}
Review the changes; edit again where necessary.`
