// The harbour office → its tools, in three sets of two or three. `search` bears the name that the bundled examples use; the others are named as
// people name theirs, so that no bundled example knows them.
import { tool } from '../../../dist/index.js'
import { importSource } from '../import-source.mjs'
import { PAGES, PEOPLE, PRICES, SHIPS } from './harbour.mjs'

const { calculatorTool } = await importSource('src/toolsets/calculator.ts')

const TOOLS = {
  ship: () =>
    oneText('ship', 'Shows the record of a ship: kind, year, length, captain and cargo.', 'name', 'Name of the ship.', name =>
      found(
        SHIPS,
        name,
        (ship, title) =>
          `${title}: ${ship.kind}, built in ${ship.built}, ${ship.metres} metres long. Captain: ${ship.captain}. Cargo: ${ship.tonnes} tonnes of ${ship.cargo}.`,
      ),
    ),
  person: () =>
    oneText('person', 'Tells when and where a person was born.', 'name', 'Full name of the person.', name =>
      found(PEOPLE, name, ({ born, town }, title) => `${title} was born in ${town} in ${born}.`),
    ),
  price: () =>
    oneText('price', 'Tells what a tonne of one kind of goods costs.', 'goods', 'One kind of goods.', goods =>
      found(PRICES, goods, (crowns, title) => `A tonne of ${title} costs ${crowns} crowns.`),
    ),
  search: () =>
    oneText(
      'search',
      'Finds the page of the harbour register with a title.',
      'query',
      'Title of one page: the name of a person, a place or a thing.',
      query => found(PAGES, query, page => page),
    ),
  calculator: calculatorTool,
}

const SETS = { desk: ['ship', 'price', 'calculator'], crew: ['ship', 'person'], register: ['search', 'calculator'] }

export function toolsOf(set) {
  return SETS[set].map(name => TOOLS[name]())
}

function oneText(name, description, parameter, meaning, answer) {
  const input = {
    type: 'object',
    properties: { [parameter]: { type: 'string', description: meaning } },
    required: [parameter],
    additionalProperties: false,
  }
  return tool({ name, description, input, effect: 'none', run: each => answer(each[parameter]) })
}

function found(table, wanted, tell) {
  const key = fold(wanted)
  const title = Object.keys(table).find(each => fold(each) === key)
  return title === undefined ? `Nothing is known about "${wanted}".` : tell(table[title], title)
}

function fold(text) {
  return text
    .toLowerCase()
    .replace(/^the\s+/, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}
