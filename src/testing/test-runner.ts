// Whoever runs the tests → how to tell it of one, and whether it refreshes what tests hold to. The only importer of vitest: inside it, it is there.

export interface TestRunner {
  readonly describe: (name: string, body: () => void) => void
  readonly test: (name: string, body: () => Promise<void>) => void
  /** Asked within a test. */
  readonly updates: () => boolean
}

/** vitest when it runs, else that of Node. */
export async function testRunner(): Promise<TestRunner> {
  if (process.env.VITEST === undefined) {
    const { describe, test } = await import('node:test')
    return {
      describe: (name, body) => void describe(name, body),
      test: (name, body) => void test(name, body),
      updates: () => false,
    }
  }
  const { describe, expect, test } = await import('vitest')
  const updates = () =>
    (expect.getState().snapshotState as unknown as { _updateSnapshot?: string } | undefined)?._updateSnapshot === 'all'
  return { describe: (name, body) => void describe(name, body), test: (name, body) => void test(name, body), updates }
}
