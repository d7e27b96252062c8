// The loops that can be measured. Each opens as
//   version    name and version of what is measured
//   form       in which labels the model must write (see lib/loop-server.mjs)
//   run({baseURL, steps, stream})  plays the scenario with a fresh agent; gives {answer, calls}
// and says, without being loaded, what has to be installed and imported for it. A further one is a file here and a line in the table.

export const LOOPS = {
  'by-hand': { open: () => import('./by-hand.mjs') },
  saydo: { open: () => import('./saydo.mjs'), packages: ['saydo'], imports: ['saydo'] },
  langchain: {
    open: () => import('./langchain.mjs'),
    packages: ['@langchain/classic', '@langchain/core', '@langchain/openai'],
    imports: ['@langchain/classic/agents', '@langchain/core/prompts', '@langchain/openai'],
  },
  llamaindex: {
    open: () => import('./llamaindex.mjs'),
    packages: ['llamaindex', '@llamaindex/openai'],
    imports: ['llamaindex', '@llamaindex/openai'],
  },
  beeai: {
    open: () => import('./beeai.mjs'),
    packages: ['beeai-framework', '@ai-sdk/openai'],
    imports: ['beeai-framework/agents/react/agent', 'beeai-framework/adapters/openai/backend/chat', 'beeai-framework/tools/base'],
  },
}

export const LOOP_IDS = Object.keys(LOOPS)

export async function openLoop(id) {
  const { open } = await LOOPS[id].open()
  return open()
}
