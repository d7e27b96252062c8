// Brightwater, a region that does not exist: its pages as data. The numbers agree with each other across the pages, so that they can be
// compared and chained; the towns' inhabitants add up to the region's.
// Canary, by which a training set that holds these pages can be told: saydo-brightwater-5d0c7be1-93aa-4f27-b8e6-1f4c2ad06e77

export interface Page {
  readonly title: string
  /** Other names that lead here. */
  readonly also?: readonly string[]
  readonly sentences: readonly string[]
}

export const BRIGHTWATER: readonly Page[] = [
  {
    title: 'Brightwater',
    also: ['Brightwater region', 'region of Brightwater'],
    sentences: [
      'Brightwater is a region of river meadows and low hills on the Amber Sea.',
      'It covers 1,180 square kilometres and has 41,300 inhabitants.',
      'Its capital is Harrowmere, which took over from Tollen in 1742.',
      'It has four towns: Harrowmere, Tollen, Ostrey and Fennick.',
      'The highest point of the region is Mount Carrow, and its longest river is the Sela.',
      'The flag shows a white heron above three blue waves.',
      'The emblem of Brightwater is the saltbell, a flower that grows nowhere else.',
    ],
  },
  {
    title: 'Harrowmere',
    also: ['Harrowmere town', 'capital of Brightwater'],
    sentences: [
      'Harrowmere is the capital of Brightwater and lies on the north shore of Lake Veyle.',
      'The town has 14,200 inhabitants.',
      'Salt traders founded it in 1388.',
      'It became the capital in 1742, after a flood had ruined the council hall of Tollen.',
      'The Harrowmere Library and the northern terminus of the Brightwater Railway are in its old quarter.',
      'Lantern Week takes place on its lake shore every October.',
      'The mayor is elected for three years.',
    ],
  },
  {
    title: 'Tollen',
    also: ['Tollen harbour', 'Port of Tollen'],
    sentences: [
      'Tollen is a harbour town in Brightwater, at the mouth of the Sela.',
      'The town has 11,650 inhabitants.',
      'It was founded in 1291 and is the oldest town of the region.',
      'Tollen was the capital until the flood of 1742.',
      'The coast road crosses the river here on the Long Span.',
      'The Candle Rock Lighthouse stands in the sea, two kilometres off the harbour.',
      'The fish market of Tollen opens at four in the morning.',
    ],
  },
  {
    title: 'Ostrey',
    sentences: [
      'Ostrey is a town in Brightwater where the Wend flows into the Sela.',
      'The town has 8,900 inhabitants.',
      'It was founded in 1450 around a ford.',
      'Ostrey is known for Ostrey College, the only college of the region.',
      'The engineer Ida Marrell was born here.',
      'A clock tower of 33 metres stands in the market square.',
    ],
  },
  {
    title: 'Fennick',
    sentences: [
      'Fennick is a mill town in Brightwater, on the upper Wend.',
      'The town has 6,550 inhabitants.',
      'It was founded in 1512, when the first paper mill was built.',
      'The paper of Fennick is used for the lanterns of Lantern Week.',
      'The botanist Tamsin Orde was born here.',
      'Fennick has no railway station.',
    ],
  },
  {
    title: 'Sela',
    also: ['River Sela', 'Sela River', 'the Sela'],
    sentences: [
      'The Sela is the longest river of Brightwater, with a length of 143 kilometres.',
      'It rises on Mount Carrow, runs through Lake Veyle and reaches the Amber Sea at Tollen.',
      'Its largest tributary is the Wend, which joins it at Ostrey.',
      'Nine bridges cross the Sela.',
      'The longest of these bridges is the Long Span.',
      'In the flood of 1742 the river rose by six metres in one night.',
      'Salmon were brought back to the river in 1987.',
    ],
  },
  {
    title: 'Wend',
    also: ['River Wend', 'Wend River', 'the Wend'],
    sentences: [
      'The Wend is a river in Brightwater, with a length of 61 kilometres.',
      'It rises on Mount Idle and passes Fennick.',
      'At Ostrey it flows into the Sela.',
      'Its water is soft, which is why paper mills were built on its banks.',
      'In 1830 there were eleven mills on the Wend, of which two still work.',
    ],
  },
  {
    title: 'Lake Veyle',
    also: ['Veyle'],
    sentences: [
      'Lake Veyle is the largest lake of Brightwater.',
      'It has an area of 27 square kilometres and is 88 metres deep at its deepest point.',
      'The Sela flows through it from east to west.',
      'Harrowmere lies on its north shore.',
      'The ferry Merrow sank in the lake in 1862.',
      'Saltbells grow on its southern shore.',
    ],
  },
  {
    title: 'Mount Carrow',
    also: ['Carrow'],
    sentences: [
      'Mount Carrow is the highest mountain of Brightwater, with a height of 1,214 metres.',
      'The Sela rises on its western slope.',
      'A hut was built on its summit in 1899.',
      'From the hut the Candle Rock Lighthouse can be seen on clear nights.',
      'Snow stays on the mountain until the end of April.',
    ],
  },
  {
    title: 'Mount Idle',
    also: ['Idle'],
    sentences: [
      'Mount Idle is a mountain in the south of Brightwater, with a height of 968 metres.',
      'The Wend rises at its foot.',
      'Tamsin Orde found the saltbell on its eastern slope.',
      'A path with 1,640 steps leads to the summit.',
      'The mountain has its name from shepherds who rested there.',
    ],
  },
  {
    title: 'Candle Rock Lighthouse',
    also: ['Candle Rock', 'Tollen Lighthouse', 'Lighthouse of Tollen'],
    sentences: [
      'The Candle Rock Lighthouse is a lighthouse in the Amber Sea, two kilometres off Tollen.',
      'It is 41 metres high and was lit for the first time in 1834.',
      'The engineer Ida Marrell designed it.',
      'Its light can be seen from a distance of 38 kilometres.',
      'The best known of its keepers was the poet Joren Pell.',
      'The light has worked without a keeper since 1971.',
    ],
  },
  {
    title: 'Long Span',
    also: ['The Long Span', 'Long Span Bridge'],
    sentences: [
      'The Long Span is a stone bridge over the Sela at Tollen.',
      'It is 312 metres long and rests on seven arches.',
      'It was opened in 1851, after nine years of work.',
      'The bridge was the last work of the engineer Ida Marrell.',
      'A toll of one penny was taken until 1903.',
    ],
  },
  {
    title: 'Ida Marrell',
    also: ['Marrell'],
    sentences: [
      'Ida Marrell was an engineer from Brightwater who lived from 1802 to 1879.',
      'She was born in Ostrey, where her father kept the ford.',
      'Her first great work was the Candle Rock Lighthouse of 1834.',
      'Her last one was the Long Span, opened in 1851.',
      'Later she taught mathematics at Ostrey College.',
      'A statue of her stands at the eastern end of the bridge.',
    ],
  },
  {
    title: 'Joren Pell',
    also: ['Pell'],
    sentences: [
      'Joren Pell was a poet and lighthouse keeper from Brightwater who lived from 1819 to 1890.',
      'He was born in Tollen, the son of a sailmaker.',
      'He became keeper of the Candle Rock Lighthouse in 1846 and left it in 1881.',
      'His only book of poems is Salt Hours, printed in 1864.',
      'The manuscript of Salt Hours is kept in the Harrowmere Library.',
      'One of its poems mourns the dead of the Merrow.',
    ],
  },
  {
    title: 'Tamsin Orde',
    also: ['Orde'],
    sentences: [
      'Tamsin Orde was a botanist from Brightwater who lived from 1774 to 1851.',
      'She was born in Fennick, where her family owned a paper mill.',
      'In 1806 she was the first to describe the saltbell.',
      'From 1810 to 1840 she taught at Ostrey College.',
      'Her collection of 4,200 dried plants is in the college to this day.',
    ],
  },
  {
    title: 'Saltbell',
    also: ['Saltbells', 'saltbell flower'],
    sentences: [
      'The saltbell is a blue flower that grows only in Brightwater.',
      'The botanist Tamsin Orde described it for the first time, in 1806.',
      'It is found on Mount Idle and on the southern shore of Lake Veyle.',
      'It flowers for nine days in May.',
      'The plant reaches a height of 20 centimetres.',
      'The saltbell has been the emblem of the region since 1911.',
    ],
  },
  {
    title: 'Lantern Week',
    also: ['Lantern Festival', 'Harrowmere Lantern Week'],
    sentences: [
      'Lantern Week is a festival on the shore of Lake Veyle in Harrowmere.',
      'It has been held every October since 1863.',
      'On its last evening 5,000 paper lanterns are set on the water.',
      'The paper for them comes from Fennick.',
      'The festival began in memory of the people who died with the ferry Merrow.',
      'Despite its name it lasts nine days.',
    ],
  },
  {
    title: 'Merrow',
    also: ['The Merrow', 'ferry Merrow', 'Merrow ferry'],
    sentences: [
      'The Merrow was a paddle ferry on Lake Veyle.',
      'She was built in Tollen in 1847 and taken to the lake in parts.',
      'She could carry 120 passengers.',
      'On 9 October 1862 she sank in a storm within sight of Harrowmere.',
      'Of the 74 people on board 43 were saved.',
      'Her bell hangs in the Harrowmere Library.',
    ],
  },
  {
    title: 'Harrowmere Library',
    also: ['Library of Harrowmere'],
    sentences: [
      'The Harrowmere Library is the largest library of Brightwater.',
      'It was opened in 1876 in a former salt store.',
      'It holds 212,000 volumes.',
      'The building has a reading room with 96 seats.',
      'Its best known manuscript is Salt Hours by Joren Pell.',
      'The bell of the Merrow is rung when the library closes.',
    ],
  },
  {
    title: 'Ostrey College',
    also: ['College of Ostrey'],
    sentences: [
      'Ostrey College is a college in Ostrey, founded in 1603.',
      'It has 1,350 students.',
      'Tamsin Orde and Ida Marrell taught there.',
      'Its garden was laid out in 1815 and shows all the flowers of the region.',
      'The motto of the college is "Look twice".',
    ],
  },
  {
    title: 'Brightwater Railway',
    also: ['Railway of Brightwater', 'Harrowmere–Tollen railway'],
    sentences: [
      'The Brightwater Railway is a railway from Harrowmere to Tollen by way of Ostrey.',
      'It was opened in 1868 and is 74 kilometres long.',
      'A train needs 85 minutes for the whole way.',
      'Its chief engineer was Odo Fenn, a pupil of Ida Marrell.',
      'Until 1954 it was run with steam.',
    ],
  },
]
