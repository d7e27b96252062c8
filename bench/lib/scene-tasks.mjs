// Three small tasks for each agent with a world of its own: what is asked, what its world holds at first, and how the end is judged. A task is
// done when its answer says what is so, or, where something was to be made, when it is there; words alone do not count for that.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const CART = 'export function total(prices) {\n  let sum = 0\n  for (const price of prices) sum -= price\n  return sum\n}\n'
const CART_TEST = `import assert from 'node:assert'
import { total } from './cart.mjs'
assert.equal(total([2, 3]), 5)
console.log('all passed')
`
const RIVERS = 'Amber 412\nReed 388\nLirren 95\nOstrel 1204\nPinmoor 77\n'
const NOTES = 'The owner of the boat is Ada Quill.\nIt lies in Pinmoor harbour.\n'

/** `folder` is the workspace, `site` the address of the pages. `done` is given the answer (may be empty), the workspace, and what the page reported. */
export const SCENE_TASKS = [
  {
    agent: 'mcp',
    id: 'sum',
    task: () => 'What is 17 plus 25? Use the tool get-sum.',
    servers: { everything: ['server-everything'] },
    done: ({ answer }) => /\b42\b/.test(answer),
  },
  {
    agent: 'mcp',
    id: 'read',
    task: ({ folder }) => `Who owns the boat? Read the file ${folder}/notes.txt.`,
    files: { 'notes.txt': NOTES },
    servers: { files: ['server-filesystem', '.'] },
    done: ({ answer }) => /Ada Quill/.test(answer),
  },
  {
    agent: 'mcp',
    id: 'remember',
    task: () => 'Remember this in the memory: create an entity named Ada of type person, with the observation "likes tea".',
    servers: { memory: ['server-memory'] },
    done: ({ read }) => /"name":"Ada"/.test(read('memory.json')) && /likes tea/.test(read('memory.json')),
  },
  {
    agent: 'browser',
    id: 'read',
    task: () => 'How long is the river Reed, in km, by the table on this page?',
    start: '/table.html',
    done: ({ answer }) => /\b388\b/.test(answer),
  },
  {
    agent: 'browser',
    id: 'next page',
    task: () => 'How long is the river Ostrel, in km? It is in the table on this page or on one of its next pages.',
    start: '/table.html',
    done: ({ answer }) => /1204/.test(answer),
  },
  {
    agent: 'browser',
    id: 'sign in',
    task: () => 'Sign in with the user ada and the password lace-42.',
    start: '/login.html',
    done: ({ visited }) => visited('/welcome.html'),
  },
  {
    agent: 'swe',
    id: 'read',
    task: () => 'Which number does the constant LIMIT in config.mjs have?',
    files: { 'config.mjs': '// how much at most\nexport const LIMIT = 731\n' },
    done: ({ answer }) => /\b731\b/.test(answer),
  },
  {
    agent: 'swe',
    id: 'create',
    task: () => 'Create the file hello.txt with the text: good morning',
    files: { 'README.md': '# Greetings\n' },
    done: ({ read }) => read('hello.txt').trim() === 'good morning',
  },
  {
    agent: 'swe',
    id: 'repair',
    task: () => 'The test cart.test.mjs fails. Run it with node, find the fault in cart.mjs and repair it.',
    files: { 'cart.mjs': CART, 'cart.test.mjs': CART_TEST },
    done: ({ folder, read }) => read('cart.test.mjs') === CART_TEST && passes(folder, 'cart.test.mjs'),
  },
  {
    agent: 'sandbox',
    id: 'count',
    task: () => 'How many lines has the file rivers.txt? Count them with a command.',
    files: { 'rivers.txt': RIVERS },
    done: ({ answer }) => /\b(5|five)\b/i.test(answer),
  },
  {
    agent: 'sandbox',
    id: 'compute',
    task: () => 'What is 7919 times 6841? Compute it with code, not in your head.',
    files: {},
    done: ({ answer }) => answer.replaceAll(/[,. ]/g, '').includes('54173879'),
  },
  {
    agent: 'sandbox',
    id: 'create',
    task: () => 'Create the file list.txt with three lines: one, two, three.',
    files: {},
    done: ({ read }) => read('list.txt').trim().split(/\s+/).join(' ') === 'one two three',
  },
]

/** What a task's `done` may look at. */
export function worldOf({ answer = '', folder, asked }) {
  return {
    answer,
    folder,
    read: name => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : ''),
    visited: path => asked.some(url => url.split('?')[0] === path),
  }
}

function passes(folder, name) {
  try {
    execFileSync(process.execPath, [name], { cwd: folder, stdio: 'ignore', timeout: 10_000 })
    return true
  } catch {
    return false
  }
}
