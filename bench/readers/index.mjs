// The readers that can be measured. Each opens as
//   version          name and version of what is measured
//   write(reply)     a reply of the corpus in the reader's own format
//   translate(text)  a reply in common ReAct labels → the labels that this reader knows
//   read(text, tools?)  the timed part: from the text to structured inputs; may be async, may throw
//   decision(read)   what that says, as judge() compares it
//   feed(chunks)     the same for a reply that arrives in chunks, as a user of this reader can have it while the reply goes on;
//                    `live` in it: how many characters of it were given out before the end
// A further one is a file here and a line in the table.
import { TOOLS } from '../lib/corpus.mjs'

const READERS = {
  saydo: tools => import('./saydo.mjs').then(({ open }) => open(tools)),
  'langchain-react': () => import('./langchain.mjs').then(({ openReact }) => openReact()),
  'langchain-structured': () => import('./langchain.mjs').then(({ openStructured }) => openStructured()),
  llamaindex: () => import('./llamaindex.mjs').then(({ open }) => open()),
  beeai: tools => import('./beeai.mjs').then(({ open }) => open(tools)),
}

export const READER_IDS = Object.keys(READERS)

/** Any of `READER_IDS`, or `saydo:DIR` for another build of saydo. */
export function openReader(id) {
  if (id.startsWith('saydo:')) return import('./saydo.mjs').then(({ open }) => open(TOOLS, id.slice('saydo:'.length)))
  return READERS[id](TOOLS)
}
