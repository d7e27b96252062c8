import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: { index: 'src/index.ts', testing: 'src/testing.ts', cli: 'src/cli/bin.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: true,
  clean: true,
  // `import('saydo')` must cost next to nothing: less to scan, and no further files for what the parser needs at once
  minify: true,
  sourcemap: true,
  deps: { alwaysBundle: ['json5', 'jsonrepair'], onlyBundle: ['json5', 'jsonrepair'] },
  // prompts travel inside the bundle, so that they are found wherever the code ends up
  inputOptions: { moduleTypes: { '.hbs': 'text' } },
  outputOptions: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
})
