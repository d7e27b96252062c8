// Chromium, for tests that look at a page. It is Debian's, or what CHROMIUM names; where there is none such tests are left out, and say so.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** Undefined when there is none. */
export const CHROMIUM = [
  ...(process.env.CHROMIUM ? [process.env.CHROMIUM] : []),
  ...(process.env.PATH ?? '').split(delimiter).flatMap(folder => NAMES.map(name => join(folder, name))),
].find(isProgram)

/** For the name of a suite. */
export const WITHOUT_CHROMIUM = CHROMIUM ? '' : ' (left out: apt-get install -y chromium)'

export function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium')
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-sync',
    ],
  })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
