// `saydo explain CODE`: what a code means, with an example that is read on the spot, why it is so and how to switch it off; without a code, all of
// them in one line each.

import type { Found } from '../../catalogue/look-up.js'
import { SaydoError } from '../../core/errors.js'
import { colourOptions } from '../colour-options.js'
import type { Command, Io } from '../command.js'
import { decisionLines } from '../decision-lines.js'
import { type Paint, paintFor } from '../paint.js'
import { visible } from '../visible.js'
import { wrap } from '../wrap.js'

export const explain: Command = {
  name: 'explain',
  summary: 'say what a code means: a problem of a reply, an error, a failure of a call, the end of a run',
  positional: '[code]',
  options: [{ flags: '--json', description: 'write the entries as a JSON array' }, ...colourOptions('stdout')],
  examples: ['saydo explain', 'saydo explain INPUT_REPAIRED', 'saydo explain max_steps'],
  async run({ args, options, io }) {
    const { allEntries, lookUp, nearEntries } = await import('../../catalogue/look-up.js')
    const [name] = args
    const found = name === undefined ? allEntries() : lookUp(name)
    if (name !== undefined && found.length === 0) {
      const near = nearEntries(name)
      throw new SaydoError('CONFIG', `there is no code '${name}'`, {
        hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'saydo explain lists them all',
      })
    }
    const paint = paintFor(io.stdout, io.env, { color: options.color })
    if (options.json === true)
      io.stdout.write(
        `${JSON.stringify(
          found.map(({ kind, name, group, entry }) => ({ code: name, kind, group, ...entry })),
          null,
          2,
        )}\n`,
      )
    else if (name === undefined) list(found, io, paint)
    else io.stdout.write(`${(await Promise.all(found.map(each => describe(each, paint)))).join('\n\n')}\n`)
    return { code: 0 }
  },
}

function list(found: readonly Found[], io: Io, paint: Paint): void {
  const widest = Math.max(...found.map(({ name }) => name.length))
  let group = ''
  for (const each of found) {
    if (each.group !== group) io.stdout.write(`${group === '' ? '' : '\n'}${paint.bold(each.group)}\n`)
    group = each.group
    io.stdout.write(`  ${paint.cyan(each.name.padEnd(widest))}  ${each.entry.title}\n`)
  }
  io.stdout.write('\nsaydo explain CODE shows one of them with an example.\n')
}

async function describe(found: Found, paint: Paint): Promise<string> {
  const { name, entry, group } = found
  const head = [`${paint.bold.cyan(name)}  ${paint.bold(entry.title)}`, paint.dim(group), '', wrap(entry.why, '  ')]
  if (found.kind !== 'problem') return [...head, '', wrap(entry.remedy ?? '', '  ')].join('\n')
  return [...head, '', ...(await example(found, paint)), '', wrap(howToSwitchOff(found), '  ')].join('\n')
}

async function example({ name, entry }: Found & { kind: 'problem' }, paint: Paint): Promise<readonly string[]> {
  const [{ readExample }, { isForgiven }, { EXAMPLE_SIGNATURES, EXAMPLE_TOOLS }, { prettify }] = await Promise.all([
    import('../../catalogue/read-example.js'),
    import('../../catalogue/index.js'),
    import('../../catalogue/entry.js'),
    import('../../parse/prettify.js'),
  ])
  const read = readExample(entry)
  const problem = read.problems.find(({ code }) => code === name)
  const lines = [
    paint.dim(`  the model writes${entry.finish === 'length' ? ', and is cut off' : ''}`),
    ...indent(clipLines(visible(entry.reply))),
    paint.dim('  saydo reads'),
    ...indent(decisionLines(read.decision).join('\n')),
  ]
  if (problem && read.decision.kind !== 'unclear')
    lines.push(paint.dim('  and remarks'), ...indent(prettify(problem, entry.reply)))
  if (!isForgiven(name)) {
    const { whatModelIsTold } = await import('../told.js')
    const { finish, strict } = entry
    const told = await whatModelIsTold(
      { text: entry.reply, ...(finish ? { finish } : {}) },
      { tools: EXAMPLE_TOOLS, ...(strict ? { strict } : {}) },
    )
    lines.push(paint.dim('  the model is told'), ...indent(clipLines(visible(told ?? ''))))
  }
  return [...lines, paint.dim(`  (tools here: ${EXAMPLE_SIGNATURES.join(', ')})`)]
}

function howToSwitchOff({ name, entry }: Found & { kind: 'problem' }): string {
  if (entry.remedy !== undefined) return entry.remedy
  return `To switch it off: --strict ${name}, or strict: ['${name}'] as an option of the reader or the agent. A reply that needs it is then asked about again. For one tool only, doubt: 0 allows no reading that has a cost.`
}

function indent(text: string): readonly string[] {
  return text.split('\n').map(line => `    ${line}`)
}

function clipLines(text: string): string {
  return text
    .split('\n')
    .map(line => (line.length > 100 ? `${line.slice(0, 99)}…` : line))
    .join('\n')
}
