// A world → the two tools that read it. They share its current page.
import type { Tool } from '../../core/tool.js'
import { tool } from '../../tools/define.js'
import type { World } from './world.js'

export function searchTool(world: World): Tool {
  return tool({
    name: 'search',
    description: 'Searches an encyclopedia for the page with a title.',
    returns: 'The first sentences of the page, or similar titles when there is no such page.',
    effect: 'none',
    input: oneText('query', 'Title of one page: the name of a person, a place or a thing.'),
    run: ({ query }: { query: string }) => world.search(query),
  })
}

export function lookupTool(world: World): Tool {
  return tool({
    name: 'lookup',
    description: 'Finds the next sentence with a word in the page that search found last.',
    returns: 'One sentence. The same word again gives the next one.',
    effect: 'none',
    input: oneText('term', 'One word that stands in the page.'),
    run: ({ term }: { term: string }) => world.lookup(term),
  })
}

function oneText(name: string, description: string) {
  return {
    type: 'object',
    properties: { [name]: { type: 'string', description } },
    required: [name],
    additionalProperties: false,
  }
}
