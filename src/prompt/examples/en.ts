// The bundled English examples. Everybody and everything in them is invented, so that no answer of theirs is ever right elsewhere.
import type { Example } from '../examples.js'
import { codeRepair, fileWork, resource } from '../scene-examples.js'

export const english: readonly Example[] = [
  {
    name: 'comparison',
    task: 'Which is taller, the Ostrel Clock Tower or the Pinmoor Mast?',
    steps: [
      {
        thought: 'I need the height of both. First the Ostrel Clock Tower.',
        calls: [{ tool: 'search', input: { query: 'Ostrel Clock Tower' } }],
        observations: [
          'The Ostrel Clock Tower stands in the old harbour of Ostrel. It is 61 metres tall and was finished in 1934.',
        ],
      },
      {
        thought: 'The Ostrel Clock Tower is 61 metres tall. Now the Pinmoor Mast.',
        calls: [{ tool: 'search', input: { query: 'Pinmoor Mast' } }],
        observations: ['The Pinmoor Mast is a radio mast on Pinmoor Hill. With its 148 metres it can be seen from the coast.'],
      },
      {
        thought:
          'The Ostrel Clock Tower has 61 metres, the Pinmoor Mast 148 metres. The greater number is 148, and that is the Pinmoor Mast.',
        answer: 'The Pinmoor Mast is taller, with 148 metres.',
      },
    ],
  },
  {
    name: 'chain',
    task: 'How many years was the Lirren Cable Ferry in service?',
    steps: [
      {
        thought: 'I need the first and the last year of the Lirren Cable Ferry.',
        calls: [{ tool: 'search', input: { query: 'Lirren Cable Ferry' } }],
        observations: [
          'The Lirren Cable Ferry crossed the Lirren at Oakstead. Its first crossing was in May 1887. It carried up to forty people.',
        ],
      },
      {
        thought: 'It began in 1887. The text does not say yet when it ended, so I look for that on this page.',
        calls: [{ tool: 'lookup', input: { term: 'last crossing' } }],
        observations: ['(Result 1 / 1) The last crossing was in autumn 1952, when the road bridge opened.'],
      },
      {
        thought: 'It ran from 1887 to 1952. I calculate the difference.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      {
        thought: 'The difference is 65 years.',
        answer: 'The Lirren Cable Ferry was in service for 65 years, from 1887 to 1952.',
      },
    ],
  },
  {
    name: 'difference',
    insteadOf: ['chain'],
    task: 'How many years after the Lirren Mill was the Lirren Bridge built?',
    steps: [
      {
        thought: 'I need both years. First the Lirren Mill.',
        calls: [{ tool: 'search', input: { query: 'Lirren Mill' } }],
        observations: ['The Lirren Mill was built in 1887. It had forty workers.'],
      },
      {
        thought: 'The Lirren Mill was built in 1887. I do not know the year of the Lirren Bridge yet.',
        calls: [{ tool: 'search', input: { query: 'Lirren Bridge' } }],
        observations: ['The Lirren Bridge was built in 1952. It is 80 metres long.'],
      },
      {
        thought: 'The years are 1887 and 1952. I calculate the difference.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      { thought: 'The difference is 65 years.', answer: 'The Lirren Bridge was built 65 years after the Lirren Mill.' },
    ],
  },
  {
    name: 'calculation',
    insteadOf: ['chain', 'difference'],
    task: 'A crate holds 14 jars. How many jars are in 36 crates?',
    steps: [
      {
        thought: 'I need 14 times 36.',
        calls: [{ tool: 'calculator', input: { expression: '14 * 36' } }],
        observations: ['504'],
      },
      { thought: '14 times 36 is 504.', answer: 'There are 504 jars.' },
    ],
  },
  {
    name: 'unknown term',
    task: 'In which town was the painter of The Heron Gate born?',
    steps: [
      {
        thought: 'I need the painter. First the painting.',
        calls: [{ tool: 'search', input: { query: 'The Heron Gate' } }],
        observations: ['Could not find The Heron Gate. Similar: [Heron Gate (painting), Heron Gate Lane, Gate of Herons]'],
      },
      {
        thought: 'There is no page with that name. "Heron Gate (painting)" is the right one.',
        calls: [{ tool: 'search', input: { query: 'Heron Gate (painting)' } }],
        observations: ['Heron Gate is an oil painting by Maude Tillery, shown for the first time in 1908.'],
      },
      {
        thought: 'The painter is Maude Tillery. Now her town.',
        calls: [{ tool: 'search', input: { query: 'Maude Tillery' } }],
        observations: ['Maude Tillery was a painter. She was born in Oakstead in 1871.'],
      },
      { thought: 'Maude Tillery was born in Oakstead.', answer: 'The painter of The Heron Gate was born in Oakstead.' },
    ],
  },
  {
    name: 'small talk',
    task: 'Good morning! How are you?',
    steps: [
      {
        thought: 'This is a greeting. I need no tool for it.',
        answer: 'Good morning! I am fine, thank you. What can I do for you?',
      },
    ],
  },
  {
    name: 'web page',
    task: 'What does the Oakstead Ferry cost for a child?',
    steps: [
      {
        thought: 'The page has a link to the prices. I click it.',
        calls: [{ tool: 'click_element', input: { index: 4 } }],
        observations: ['Clicked [4] link "Prices". Now at "Prices" https://ferry.example/prices.'],
      },
      {
        thought: 'The page of prices is open. I read all of it.',
        calls: [{ tool: 'extract_content', input: {} }],
        observations: ['# Prices\n\n| Adults | 4 crowns |\n| Children | 2 crowns |'],
      },
      { thought: 'Children pay 2 crowns.', answer: 'A child pays 2 crowns.' },
    ],
  },
  codeRepair({
    task: 'The test of the parcel fees fails. Repair it.',
    thoughts: [
      'I run the test to see what fails.',
      'A parcel of 1 kilo costs 2, the test wants 4. I look at the code.',
      'There is no lowest fee. I put one in, and leave the rest as it is.',
      'The edit is made. Only the test shows whether it is right.',
      'The test passes now.',
    ],
    answer: 'The code in fees.js had no lowest fee. It is 4 now, and the test passes.',
  }),
  fileWork({
    task: 'Write the sum of the kilos in parcels.csv to sum.txt.',
    thoughts: [
      'First I look at how the file is built.',
      'The second column holds the kilos. I add it up and look at what was written.',
      'The file holds 17, which is 3, 5 and 9.',
    ],
    answer: 'The sum of the kilos is 17; it stands in sum.txt.',
  }),
  resource({
    task: 'Until when is the harbour office of Oakstead open?',
    thoughts: [
      'I do not know that. I look at what the server has.',
      'There are office hours. I read them.',
      'On weekdays the office is open from 7 to 16.',
    ],
    answer: 'The harbour office of Oakstead is open until 16 on weekdays.',
  }),
]
