// What people write for themselves: a task, tools and few-shot examples → chat turns, sent until a reply answers. One regular expression for a call,
// one for an answer, stop strings, results in turns of the user; nothing is repaired, and nothing ends a circle but the last step.
const ANSWER = /^(?:Thought:.*\n)?\s*Final Answer:\s*([\s\S]+)$/
const CALL = /^(?:Thought:.*\n)?\s*Action:\s*(\w+)\s*\n\s*Action Input:\s*(\{[\s\S]*\})\s*$/

/** `ask` takes messages and gives the text of one reply. */
export async function strictRun(task, { tools, examples, ask, maxSteps }) {
  const messages = [{ role: 'system', content: system(tools) }, ...examples.flatMap(exampleTurns), question(task)]
  const log = []
  for (let step = 1; step <= maxSteps; step++) {
    const reply = await ask(messages)
    const answer = ANSWER.exec(reply)?.[1]
    if (answer) return { answer: answer.trim(), log: [...log, { reply }] }
    const observation = await observe(reply, tools)
    log.push({ reply, ...observation })
    messages.push({ role: 'assistant', content: reply }, { role: 'user', content: `Observation: ${observation.text}` })
  }
  return { log }
}

async function observe(reply, tools) {
  const [, name, input] = CALL.exec(reply) ?? []
  if (name === undefined)
    return { text: 'Invalid format. Write Thought, Action and Action Input, or Thought and Final Answer.', bad: true }
  const found = tools.find(tool => tool.name === name)
  const call = `${name} ${input}`
  if (!found) return { call, text: `There is no tool ${name}. Tools: ${tools.map(tool => tool.name).join(', ')}.` }
  try {
    return { call, text: String(await found.run(JSON.parse(input), { signal: AbortSignal.timeout(30_000) })) }
  } catch (error) {
    return { call, text: `Error: ${error.message}`, bad: error instanceof SyntaxError }
  }
}

const question = task => ({ role: 'user', content: `Question: ${task}` })

function system(tools) {
  const list = tools.map(({ name, description, parameters }) => `${name}: ${description} Input: ${JSON.stringify(parameters)}`)
  return `Answer the question as best you can. You have these tools:

${list.join('\n')}

Use this format:

Thought: think about what to do
Action: one of ${tools.map(tool => tool.name).join(', ')}
Action Input: a JSON object
Observation: the result of the action
(this can repeat)
Thought: I now know the final answer
Final Answer: the answer to the question`
}

function exampleTurns({ task, steps }) {
  return [
    question(task),
    ...steps.flatMap(({ thought, calls, observations, answer }) =>
      answer === undefined
        ? [
            {
              role: 'assistant',
              content: `Thought: ${thought}\nAction: ${calls[0].tool}\nAction Input: ${JSON.stringify(calls[0].input)}`,
            },
            { role: 'user', content: `Observation: ${observations[0]}` },
          ]
        : [{ role: 'assistant', content: `Thought: ${thought}\nFinal Answer: ${answer}` }],
    ),
  ]
}
