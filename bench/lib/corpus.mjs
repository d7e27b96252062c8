// A seed → well-formed replies of a given size, the same on every machine. A reply is `{thought, tool, input}` or `{thought, answer}`; each reader
// writes it in its own format.

const text = { type: 'string' }
const number = { type: 'number' }
const spec = (name, description, properties, required) => ({
  name,
  description,
  parameters: { type: 'object', properties, required },
})

export const TOOLS = [
  spec('search', 'Searches the web.', { query: text, limit: number }, ['query']),
  spec('read_file', 'Reads a part of a file.', { path: text, start: number, end: number }, ['path']),
  spec('python', 'Runs Python code.', { code: text }, ['code']),
  spec('http_request', 'Sends an HTTP request.', { url: text, method: text, body: { type: 'object' } }, ['url']),
]

/** Size in bytes (about) → how many replies of it. */
export const SIZES = { '200 B': [200, 250], '2 KB': [2_000, 150], '20 KB': [20_000, 80], '200 KB': [200_000, 20] }

const WORDS =
  'the a of to in we need first check whether model result value file user query table index list then because however shows that it can be used for next step compare price total of region latest report data source seems likely wrong so let me verify with another look at documentation before computing final number which should match expected output'.split(
    ' ',
  )
const CHINESE =
  '我们 需要 先 检查 结果 然后 比较 数据 表格 价格 总计 地区 最新 报告 来源 可能 错误 再 验证 一次 文档 计算 最终 数字'.split(' ')

/** The replies of one size class. One in ten is half Chinese; thoughts, code as an input, and answers take turns at being the long part. */
export function repliesOf(size) {
  const [bytes, count] = SIZES[size]
  const dice = createDice(42)
  return Array.from({ length: count }, (_, i) => createReply(dice, bytes, i))
}

/** One reply of about `size` characters, nearly all of them in its input, or in its thought: bare prose, or with code and lists in it. */
export function bulkyReply(shape, size) {
  const dice = createDice(7)
  const length = Math.floor(size * 0.87)
  if (shape === 'input')
    return { thought: 'A script will compute the number.', tool: 'python', input: { code: code(dice, length).slice(0, length) } }
  const thought = prose(dice, size - 90)
  const call = { tool: 'search', input: { query: 'weather in Paris', limit: 3 } }
  return { thought: shape === 'prose' ? thought.replaceAll('`', '').replaceAll('\n- ', '\n') : thought, ...call }
}

/** A flat copy: strings built from pieces or cut from others would cost the first reader more than the next. */
export const flat = string => Buffer.from(string, 'utf8').toString('utf8')

/** A text in chunks of so many characters. */
export function cut(text, size) {
  const chunks = []
  for (let at = 0; at < text.length; at += size) chunks.push(flat(text.slice(at, at + size)))
  return chunks
}

function createReply(dice, bytes, index) {
  const chinese = index % 10 === 9
  const kind = index % 5
  const budget = Math.max(60, bytes - 90)
  if (kind === 4) return { thought: prose(dice, budget / 3, chinese), answer: prose(dice, (budget * 2) / 3, chinese) }
  if (bytes > 1000 && kind >= 2)
    return { thought: prose(dice, 150, chinese), tool: 'python', input: { code: code(dice, budget * 0.85) } }
  return { thought: prose(dice, budget, chinese), ...createCall(dice, kind % 3, chinese) }
}

function createCall(dice, kind, chinese) {
  if (kind === 0) return { tool: 'search', input: { query: prose(dice, 30, chinese), limit: 1 + dice.below(20) } }
  if (kind === 1)
    return {
      tool: 'read_file',
      input: { path: `src/${dice.pick(WORDS)}/${dice.pick(WORDS)}.ts`, start: dice.below(100), end: 100 + dice.below(400) },
    }
  const body = { filter: { [dice.pick(WORDS)]: dice.below(9) }, tags: [dice.pick(WORDS), dice.pick(WORDS)] }
  return {
    tool: 'http_request',
    input: { url: `https://example.test/api/${dice.pick(WORDS)}?id=${dice.below(999)}`, method: 'POST', body },
  }
}

function prose(dice, length, chinese = false) {
  let written = ''
  while (written.length < length) {
    const pause = dice.share() < 0.12 ? `\n${dice.share() < 0.4 ? '- ' : ''}` : ' '
    written += sentence(dice, chinese) + pause
  }
  return written.slice(0, length).trim()
}

function sentence(dice, chinese) {
  const words = Array.from({ length: 6 + dice.below(12) }, () => {
    if (chinese && dice.share() < 0.5) return dice.pick(CHINESE)
    if (dice.share() < 0.04) return `\`${dice.pick(WORDS)}_${dice.below(99)}\``
    return dice.share() < 0.03 ? String(dice.below(10_000)) : dice.pick(WORDS)
  }).join(' ')
  return words[0].toUpperCase() + words.slice(1) + (chinese ? '。' : '.')
}

/** Python full of quotes, braces, indentation and line breaks, which JSON has to escape. */
function code(dice, length) {
  let written = 'import json\n'
  while (written.length < length) {
    const id = dice.below(1000)
    written += `def step_${id}(rows, options={"limit": ${dice.below(50)}}):
    # ${sentence(dice, false)}
    out = {}
    for i, row in enumerate(rows):
        if row["k${dice.below(9)}"] > ${dice.below(100)}:
            out[f"id-{i}"] = {"v": row.get('name', "n/a"), "t": [1, 2, ${id}]}
    return json.dumps(out)

`
  }
  return written
}

/** mulberry32 */
function createDice(seed) {
  let state = seed >>> 0
  const share = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = end => Math.floor(share() * end)
  return { share, below, pick: list => list[below(list.length)] }
}
