// Twenty small questions about the harbour, each with what its answer must say. Prompts and defaults were made better on the ten `tune` ones;
// the ten `test` ones were never looked at for that, and are what a comparison should be read from. Those with the same tools stand together, so that
// a server need not read the head of their prompts again.

/** `rivals`: names that must not come before the right one in the answer. */
const one = (id, kind, tools, question, answer, rivals = []) => ({ id, kind, tools, question, answer, rivals })

const UNKNOWN = /\b(?:not|no|nothing|none|unknown|unable|cannot)\b|n't\b/

export const TASKS = {
  tune: [
    one('length', 'one hop', 'desk', 'How many metres long is the Marigold?', '27'),
    one('cargo-worth', 'arithmetic', 'desk', 'What is the whole cargo of the Marigold worth, in crowns?', '1320'),
    one('opposite', 'no tool', 'desk', 'What is the opposite of the word "arrival"?', 'departure'),
    one('born-where', 'two hops', 'crew', 'In which town was the captain of the Curlew born?', 'saltby'),
    one(
      'first-born',
      'comparison',
      'crew',
      'Who was born first, the captain of the Marigold or the captain of the Grey Wren?',
      /tobin sayle|grey wren/,
      ['lise harrow', 'marigold'],
    ),
    one('longer-pier', 'comparison', 'register', 'Which is longer, the North Pier or the South Pier?', 'north pier', [
      'south pier',
    ]),
    one('master', 'one hop', 'register', 'Who is the harbour master of Quillport?', 'ines calder'),
    one('years-between', 'arithmetic', 'register', 'How many years after the North Pier was the South Pier opened?', '22'),
    one('windows', 'unknown', 'register', 'How many windows does the Customs House of Quillport have?', UNKNOWN),
    one('town-of-master', 'two hops', 'register', 'How many inhabitants has the town in which Ines Calder was born?', '5300'),
  ],
  test: [
    one('price', 'one hop', 'desk', 'What does a tonne of wool cost, in crowns?', '95'),
    one('dearer-by', 'arithmetic', 'desk', 'How many crowns more does a tonne of tea cost than a tonne of wool?', '215'),
    one('older', 'comparison', 'desk', 'Which ship is older, the Storm Petrel or the Blue Anchor?', 'blue anchor', [
      'storm petrel',
    ]),
    one(
      'longest-of-three',
      'comparison',
      'desk',
      'Which of these ships is the longest: the Curlew, the Grey Wren or the Blue Anchor?',
      'grey wren',
      ['curlew', 'blue anchor'],
    ),
    one('born-when', 'two hops', 'crew', 'In which year was the captain of the Storm Petrel born?', '1849'),
    one('goodbye', 'no tool', 'crew', 'Thank you, that is all. Goodbye!', /bye|welcome|farewell|take care|pleasure/),
    one('children', 'unknown', 'crew', 'How many children has Nan Oakley?', UNKNOWN),
    one('since', 'one hop', 'register', 'Since which year has the Bell Regatta been held?', '1821'),
    one(
      'known-for',
      'two hops',
      'register',
      'What is the town known for in which the builder of the Customs House was born?',
      'rope',
    ),
    one('together', 'arithmetic', 'register', 'How many inhabitants do Saltby and Corrow have together?', '2990'),
  ],
}

/** Whether a text gives the answer, whatever its case, punctuation and thousands separators, and before any rival, which it must not be the same as. */
export function isRight({ answer, rivals }, text) {
  const said = normal(text)
  const wanted = answer instanceof RegExp ? answer : new RegExp(`(?<![\\w.])${answer}(?![\\w]|\\.\\d)`)
  const at = said.search(wanted)
  if (rivals.length > 0 && /\b(?:same|equal)/.test(said)) return false
  return at !== -1 && rivals.every(rival => !said.slice(0, at).includes(rival))
}

function normal(text) {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/[*_`"]/g, '')
    .replace(/\s+/g, ' ')
}
