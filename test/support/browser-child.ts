// A program of its own that opens a browser, says so, and stays. Its arguments: the page, and the program of Chromium.
import { BrowserSession } from '../../src/toolsets/browser/browser-session.js'

const [start, program] = process.argv.slice(2)
const session = new BrowserSession({ start, program })
process.stdout.write(`${await session.state()}\n`)
setInterval(() => {}, 1_000)
