import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // the same as `moduleTypes` in tsdown.config.ts: a template file is imported as its text
  plugins: [
    {
      name: 'templates-as-text',
      enforce: 'pre',
      load: id => (id.endsWith('.hbs') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : null),
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    testTimeout: 20_000 * Math.max(1, Number(process.env.PROPERTY_RUNS ?? 1)),
  },
})
