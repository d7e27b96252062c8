// The replies of a sloppy model to one task in Brightwater, for a run without any model. The slips are typical of small models, every one of
// another kind; what the tools answer is real, and so is the final answer.

export interface DemoScript {
  readonly task: string
  /** Raw replies of the `react` dialect, one for each prompt. */
  readonly replies: readonly string[]
  /** What the final answer has to name. */
  readonly answer: string
}

export const demoScript: DemoScript = {
  task: 'In which town was the botanist born who first described the emblem of Brightwater?',
  answer: 'Fennick',
  replies: [
    // bold lower-case labels, a full-width colon, a Python dict with a comma too many
    "**thought**： The page about the region should name its emblem.\n**action**： search\n**action input**： {'query': 'Brightwater',}",
    // a misspelt tool
    'Thought: The beginning does not tell. I read on in the page.\nAction: lokup\nAction Input: emblem',
    // a fence around the input, then an observation of its own making with an answer drawn from it
    'Thought: The tool for that is lookup.\nAction: lookup\nAction Input: ```json\n{"term": "emblem"}\n```\nObservation: The emblem is the moor rose, described by Edwin Hale of Tollen.\nThought: I now know the final answer.\nFinal Answer: Tollen',
    // a plan, and nothing done
    'Thought: The emblem is the saltbell. Next I should find out who described it first.',
    // a call as in a program
    'Thought: I search for the saltbell.\nAction: search("saltbell")',
    // a bare JSON object in place of the labels
    '{"action": "search", "action_input": {"query": "Tamsin Orde"}}',
    // a shouted label
    'Thought: Tamsin Orde described it in 1806, and she was born in Fennick.\nFINAL ANSWER: The botanist was Tamsin Orde, and she was born in Fennick.',
  ],
}
