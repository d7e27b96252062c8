import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

/** What a changed parser is tried on: the recorded replies and the tables, which take seconds. A survivor costs all of them. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/parse/fixtures.test.ts', 'test/parse/replies.test.ts', 'test/parse/stop-words.test.ts'],
  },
})
