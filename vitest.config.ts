import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { bundledText } from './bundled-text.config.js'

export default defineConfig({
  // the same as `moduleTypes` in tsdown.config.ts: a template file is imported as its text
  plugins: [
    bundledText,
    {
      name: 'templates-as-text',
      enforce: 'pre',
      load: id => (id.endsWith('.hbs') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : null),
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    // much of the time is waiting for browsers, servers and processes
    maxWorkers: '100%',
    globalSetup: 'test/support/temporary-files.ts',
    testTimeout: 20_000 * Math.max(1, Number(process.env.PROPERTY_RUNS ?? 1)),
  },
})
