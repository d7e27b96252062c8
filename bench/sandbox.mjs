// What a sandbox holds, in figures: ways out of it, trees of processes ended in every way, bombs, and what a command in it costs. The tests do the same
// with smaller numbers. Needs no build of saydo, but bubblewrap (for --backend srt its package, socat and ripgrep as well):
//   node bench/sandbox.mjs [--backend bwrap] [--trees 200] [--rounds 30] [--json]
// Exit code: 0 everything held, 1 something did not, 2 wrong usage.
import { parseArgs } from 'node:util'
import { counts, importTrials } from './lib/import-trials.mjs'

const { values } = parseArgs({
  options: {
    backend: { type: 'string', default: 'bwrap' },
    trees: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '30' },
    json: { type: 'boolean', default: false },
  },
})
const [trees, rounds] = counts(values, 'trees', 'rounds')
const trials = await importTrials('sandbox-trials')
const { backend } = values

const escapes = await trials.tryEscapes(backend)
const endings = await trials.endTrees(backend, trees)
const bombs = await trials.dropBombs(backend)
const cost = await trials.commandCost(backend, rounds)
const plain = await trials.commandCost('local', rounds)

if (values.json) console.log(JSON.stringify({ escapes, endings, bombs, cost, plain }))
else {
  const ms = number => number.toFixed(1)
  console.log(
    `ways out: ${escapes.tried} tried, ${escapes.through.length} through${escapes.through.map(name => `\n  ${name}`).join('')}`,
  )
  console.log(
    `trees of processes: ${endings.trees} ended, ${endings.survivors.length} survivors, ${endings.left.length} things left behind`,
  )
  for (const what of [...endings.survivors, ...endings.left]) console.log(`  ✗ ${what}`)
  console.log(`bombs: ${bombs.length} dropped, ${bombs.filter(({ contained }) => contained).length} contained`)
  for (const { bomb, contained, seen } of bombs) console.log(`  ${contained ? '✓' : '✗'} ${bomb}: ${seen}`)
  console.log(
    `a command: ${ms(cost.true)} ms for true (${ms(plain.true)} without), ${ms(cost.node)} ms for node (${ms(plain.node)} without); opening ${ms(cost.open)} ms`,
  )
}
const holds =
  escapes.through.length + endings.survivors.length + endings.left.length === 0 && bombs.every(({ contained }) => contained)
process.exit(holds ? 0 : 1)
