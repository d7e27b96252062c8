// The runs of a conversation → a fixture that also says what the first prompt was. Apart from the rest, which a browser can make, too.
import type { Fixture } from './fixture.js'
import { fingerprintOf } from './request.js'
import { asOpened, fixtureOf } from './to-fixture.js'
import type { Transcript } from './transcript.js'

export function recordedFixture(runs: readonly [Transcript, ...Transcript[]], name?: string): Fixture {
  const first = asOpened(runs[0])
  const [prompt] = first.prompts
  return { ...fixtureOf(runs, name), ...(prompt ? { request: fingerprintOf({ ...first, prompt }) } : {}) }
}
