// Small questions about Brightwater, each with its answer and a way to it that the tools really give.

export interface WorldTask {
  readonly id: string
  readonly question: string
  readonly answer: string
  /** Tool calls that lead to the answer, in order, each with a text that its result holds. */
  readonly path: readonly OracleCall[]
}

export interface OracleCall {
  readonly tool: 'search' | 'lookup'
  readonly text: string
  readonly shows: string
}

const search = (text: string, shows: string): OracleCall => ({ tool: 'search', text, shows })
const lookup = (text: string, shows: string): OracleCall => ({ tool: 'lookup', text, shows })

export const WORLD_TASKS: readonly WorldTask[] = [
  {
    id: 'one-fact',
    question: 'How many metres high is the Candle Rock Lighthouse?',
    answer: '41',
    path: [search('Candle Rock Lighthouse', '41 metres high')],
  },
  {
    id: 'bridge',
    question: 'In which town was the designer of the Candle Rock Lighthouse born?',
    answer: 'Ostrey',
    path: [search('Candle Rock Lighthouse', 'Ida Marrell designed it'), search('Ida Marrell', 'born in Ostrey')],
  },
  {
    id: 'compare-heights',
    question: 'Which mountain is higher, Mount Idle or Mount Carrow?',
    answer: 'Mount Carrow',
    path: [search('Mount Idle', '968 metres'), search('Mount Carrow', '1,214 metres')],
  },
  {
    id: 'difference',
    question: 'By how many kilometres is the Sela longer than the Wend?',
    answer: '82',
    path: [search('Sela', '143 kilometres'), search('Wend', '61 kilometres')],
  },
  {
    id: 'read-on',
    question: 'Which bird does the flag of Brightwater show?',
    answer: 'a white heron',
    path: [search('Brightwater', 'river meadows'), lookup('flag', 'white heron')],
  },
  {
    id: 'chain',
    question: 'In which town was the botanist born who first described the emblem of Brightwater?',
    answer: 'Fennick',
    path: [
      search('Brightwater', 'river meadows'),
      lookup('emblem', 'the saltbell'),
      search('saltbell', 'Tamsin Orde'),
      search('Tamsin Orde', 'born in Fennick'),
    ],
  },
  {
    id: 'yes-or-no',
    question: 'Was the Long Span opened before the Brightwater Railway?',
    answer: 'yes',
    path: [search('Long Span', 'opened in 1851'), search('Brightwater Railway', 'opened in 1868')],
  },
  {
    id: 'years-between',
    question: 'How many years after its light was first lit did Joren Pell become keeper of the Candle Rock Lighthouse?',
    answer: '12',
    path: [search('Candle Rock Lighthouse', 'first time in 1834'), search('Joren Pell', 'in 1846')],
  },
  {
    id: 'smallest-of-four',
    question: 'Which of the four towns of Brightwater has the fewest inhabitants?',
    answer: 'Fennick',
    path: [
      search('Brightwater', 'Harrowmere, Tollen, Ostrey and Fennick'),
      search('Harrowmere', '14,200'),
      search('Tollen', '11,650'),
      search('Ostrey', '8,900'),
      search('Fennick', '6,550'),
    ],
  },
  {
    id: 'kept-where',
    question: 'How many volumes are in the library that keeps the manuscript of Salt Hours?',
    answer: '212,000',
    path: [
      search('Joren Pell', 'Salt Hours'),
      lookup('manuscript', 'Harrowmere Library'),
      search('Harrowmere Library', '212,000 volumes'),
    ],
  },
  {
    id: 'wrong-spelling',
    question: 'How many metres deep is Lake Veile at its deepest point?',
    answer: '88',
    path: [search('Lake Veile', '"Lake Veyle"'), search('Lake Veyle', '88 metres deep')],
  },
  {
    id: 'read-on-twice',
    question: 'In which year was the vessel built in whose memory Lantern Week began?',
    answer: '1847',
    path: [
      search('Lantern Week', 'since 1863'),
      lookup('festival', 'Lantern Week is a festival'),
      lookup('festival', 'the ferry Merrow'),
      search('Merrow', 'in 1847'),
    ],
  },
]
