// One typical bad reply for each code that leaves no decision, about the subject of a task: what small models really write, shortened. `late` ones
// are answers, so they come after the steps that lead to it; `guarded` ones are only doubtful where a tool changes things. Two codes are
// missing: no model gets to write an input that is too large, and NOT_EXACT only comes up where forgiveness was switched off.

export const BAD_REPLIES = [
  { code: 'EMPTY_REPLY', write: () => '' },
  { code: 'ONLY_THOUGHT', write: subject => `Thought: I need to find out more about ${subject}.` },
  { code: 'MISSING_INPUT', write: subject => `Thought: I should look up ${subject}.\nAction: search` },
  { code: 'MISSING_ACTION', write: subject => `Thought: I should look up ${subject}.\nAction Input: {"query": "${subject}"}` },
  { code: 'MISSING_TOOL', write: subject => `{"query": "${subject}"}` },
  {
    code: 'BROKEN_INPUT',
    write: subject => `Thought: I should look it up.\nAction: search\nAction Input: {"query": ["${subject}", ...]}`,
  },
  {
    code: 'AMBIGUOUS_INPUT',
    write: subject =>
      `Thought: I need two pages.\nAction: search\nAction Input: {"query": "${subject}"} {"query": "Brightwater"}`,
  },
  {
    code: 'DUPLICATE_KEY',
    write: subject => `Thought: I need two pages.\nAction: search\nAction Input: {"query": "${subject}", "query": "Brightwater"}`,
  },
  {
    code: 'FORBIDDEN_KEY',
    write: subject =>
      `Thought: I should look it up.\nAction: search\nAction Input: {"query": "${subject}", "constructor": "page"}`,
  },
  {
    code: 'TRUNCATED',
    finish: 'length',
    write: subject => `Thought: ${`I need to know more about ${subject} before I can say anything about it. `.repeat(8)}So I`,
  },
  { code: 'PLACEHOLDER', late: true, write: () => 'Thought: I now know the final answer.\nFinal Answer: <your answer>' },
  { code: 'UNREADABLE_MARKUP', write: subject => `I will look it up.\n<search>${subject}</search>` },
  { code: 'AMBIGUOUS_CALL', write: subject => `I'll use the search tool.\n\nsearch("${subject}")` },
  {
    code: 'AMBIGUOUS_ANSWER',
    late: true,
    write: (_, answer) => `Thought: Now I know.\nFinal Answer: ${answer}\n\nFinal Answer: It is not known.`,
  },
  {
    code: 'ANSWER_FROM_INVENTED',
    write: subject =>
      `Observation: ${subject} is described in the encyclopedia.\nThought: I now know the final answer.\nFinal Answer: 17`,
  },
  {
    code: 'AMBIGUOUS_OBSERVATION',
    write: subject => `Thought: I should look it up.\nAction: search\nAction Input: ${subject}\nResult: found\nFinal Answer: 17`,
  },
  {
    code: 'IN_DOUBT',
    guarded: true,
    write: subject => `Thought: I should look it up.\nAction: Search\nAction Input: {query: ${subject},}`,
  },
  {
    code: 'UNKNOWN_TOOL',
    write: subject => `Thought: I should look it up.\nAction: wikipedia\nAction Input: {"query": "${subject}"}`,
  },
  {
    code: 'INVALID_INPUT',
    write: subject => `Thought: I should look it up.\nAction: search\nAction Input: {"title": "${subject}"}`,
  },
]
