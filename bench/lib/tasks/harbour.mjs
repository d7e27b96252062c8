// The office of an invented harbour, as data: ships, people, prices, and pages of a register. Nothing of it is in any training set, so that what a
// model says about it was found out, and nothing of it stands in the bundled examples or the bundled world.

export const SHIPS = {
  Curlew: { kind: 'brig', built: 1871, metres: 34, captain: 'Edda Rook', tonnes: 120, cargo: 'salt' },
  'Grey Wren': { kind: 'schooner', built: 1888, metres: 41, captain: 'Tobin Sayle', tonnes: 85, cargo: 'wool' },
  Marigold: { kind: 'barge', built: 1902, metres: 27, captain: 'Lise Harrow', tonnes: 60, cargo: 'slate' },
  'Storm Petrel': { kind: 'steamer', built: 1895, metres: 58, captain: 'Aldo Fenn', tonnes: 210, cargo: 'coal' },
  'Blue Anchor': { kind: 'ketch', built: 1879, metres: 22, captain: 'Nan Oakley', tonnes: 15, cargo: 'tea' },
}

export const PEOPLE = {
  'Edda Rook': { born: 1840, town: 'Saltby' },
  'Tobin Sayle': { born: 1852, town: 'Mirren' },
  'Lise Harrow': { born: 1871, town: 'Quillport' },
  'Aldo Fenn': { born: 1849, town: 'Corrow' },
  'Nan Oakley': { born: 1855, town: 'Saltby' },
}

/** In crowns for a tonne. */
export const PRICES = { salt: 14, wool: 95, slate: 22, coal: 9, tea: 310 }

export const PAGES = {
  Quillport: 'Quillport is a harbour town with seven piers. It was founded in 1612. The harbour master is Ines Calder.',
  'Ines Calder': 'Ines Calder has been harbour master of Quillport since 1897. She was born in Mirren.',
  'North Pier': 'The North Pier of Quillport is 214 metres long. It was opened in 1846.',
  'South Pier': 'The South Pier of Quillport is 167 metres long. It was opened in 1868.',
  'Customs House': 'The Customs House of Quillport has twelve rooms. It was built in 1730 by Odo Brandt.',
  'Odo Brandt': 'Odo Brandt was a master builder who lived from 1688 to 1751. He was born in Corrow.',
  'Bell Regatta': 'The Bell Regatta is a race of rowing boats in Quillport. It has been held every June since 1821.',
  Saltby: 'Saltby is a fishing village with 840 inhabitants. Its lighthouse is 29 metres high.',
  Mirren: 'Mirren is a market town inland with 5,300 inhabitants.',
  Corrow: 'Corrow is a town with 2,150 inhabitants. It is known for its rope.',
}
