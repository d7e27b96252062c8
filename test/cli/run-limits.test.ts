import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { emptyFolder, saydo } from '../support/cli.js'
import { type EndpointOptions, startEndpoint, type TestEndpoint } from '../support/endpoint.js'

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

async function endpointWith(options: EndpointOptions): Promise<TestEndpoint> {
  const endpoint = await startEndpoint(options)
  open.push(endpoint)
  return endpoint
}

const CALL = 'Thought: I calculate it.\nAction: calculator\nAction Input: {"expression": "17 * 23"}'
const answer = (text: string) => `Thought: I know it now.\nFinal Answer: ${text}`

describe('saydo run', () => {
  test('--deadline ends a run whose server says nothing, and names the limit', async () => {
    const endpoint = await endpointWith({ moods: ['silent'] })
    const { code, stdout, stderr, verdict } = await saydo(['x', '--url', endpoint.url, '--deadline', '0.2'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('no reply in time; asking for an answer')
    expect(verdict).toMatch(/^no answer \(budget\): the deadline of 0\.2 s was reached/)
  })

  test('--max-run-tokens ends a run that takes too many', async () => {
    const endpoint = await endpointWith({ replies: [CALL, CALL] })
    const argv = ['x', '--url', endpoint.url, '--tool', 'calculator', '--max-run-tokens', '20']
    const { code, verdict } = await saydo(argv)
    expect(code).toBe(1)
    expect(verdict).toMatch(/limit of 20 tokens was reached/)
    expect(endpoint.asked).toHaveLength(1)
  })

  test('--tool-choice none runs no tool, required takes no answer without one', async () => {
    const none = await endpointWith({ replies: [CALL, answer('about 400')] })
    expect((await saydo(['x', '--url', none.url, '--tool', 'calculator', '--tool-choice', 'none'])).stderr).not.toContain('391')
    const required = await endpointWith({ replies: [answer('about 400'), CALL, answer('391')] })
    const argv = ['x', '--url', required.url, '--tool', 'calculator', '--tool-choice', 'required']
    expect((await saydo(argv)).stdout).toBe('391\n')
  })

  test('--answer-schema prints JSON that fits, and asks again for what does not', async () => {
    const endpoint = await endpointWith({ replies: [answer('about 400'), answer('{product: 391}')] })
    const cwd = emptyFolder()
    writeFileSync(
      join(cwd, 'form.json'),
      '{"type": "object", "properties": {"product": {"type": "integer"}}, "required": ["product"]}',
    )
    const { code, stdout } = await saydo(['x', '--url', endpoint.url, '--answer-schema', 'form.json'], { cwd })
    expect([code, stdout]).toEqual([0, '{"product":391}\n'])
  })

  test.each([
    ['is not there', undefined],
    ['is no JSON', '{'],
    ['is no schema', '[1]'],
  ])('an answer schema that %s is a fault of the usage', async (_, content) => {
    const cwd = emptyFolder()
    if (content !== undefined) writeFileSync(join(cwd, 'form.json'), content)
    const { code, stderr } = await saydo(
      ['x', '--url', 'http://127.0.0.1:9/v1', '--model', 'm', '--answer-schema', 'form.json'],
      { cwd },
    )
    expect(code).toBe(2)
    expect(stderr).toMatch(/CONFIG.*form\.json/)
  })
})
