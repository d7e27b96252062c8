// Recorded runs, replayed: how an agent goes from replies to calls, corrections and ends. What a prompt says may change; what is concluded may not.
import { replayDir } from '../src/testing/replay.js'

await replayDir(new URL('../fixtures/runs', import.meta.url), { ignore: ['template', 'examples'] })
