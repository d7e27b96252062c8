// What a reader made of a reply, beside what it says: right, refused (the reader knows that it can't tell) or silently wrong.

/** A decision is `{calls: [{tool, input}]}`, `{answer}` or `{}` for a refusal; `wanted` has the same shape. */
export function judge(decision, wanted) {
  if (isSame(decision, wanted)) return 'right'
  return decision.calls === undefined && decision.answer === undefined ? 'refused' : 'wrong'
}

function isSame(decision, wanted) {
  if (wanted.answer !== undefined) return String(decision.answer ?? '').trim() === wanted.answer.trim()
  if (wanted.calls === undefined) return decision.calls === undefined && decision.answer === undefined
  return (
    decision.calls?.length === wanted.calls.length &&
    decision.calls.every(({ tool, input }, i) => tool === wanted.calls[i].tool && isSameInput(input, wanted.calls[i].input))
  )
}

/** A bare text is as good as an object whose only field it is: frameworks without schemas hand it to the tool like that. */
function isSameInput(input, wanted) {
  if (typeof input !== 'string') return canonical(input ?? {}) === canonical(wanted)
  const values = Object.values(wanted)
  return values.length === 1 && typeof values[0] === 'string' && values[0].trim() === input.trim()
}

/** JSON that does not depend on the order of keys. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const fields = Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonical(value[key])}`)
  return `{${fields.join(',')}}`
}
