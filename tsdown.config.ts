import { defineConfig, type InlineConfig } from 'tsdown'
import { bundledText } from './bundled-text.config.js'

const shared: InlineConfig = {
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  // starting must cost next to nothing: less to scan, and no further files for what the parser needs at once
  minify: { compress: true, mangle: true, codegen: false },
  deps: { alwaysBundle: ['json5', 'jsonrepair'], onlyBundle: ['json5', 'jsonrepair'] },
  // prompts travel inside the bundle, so that they are found wherever the code ends up
  plugins: [bundledText],
  inputOptions: { moduleTypes: { '.hbs': 'text' } },
}

function output(chunks: string, groups: { name: string; test: RegExp; priority?: number }[]) {
  return {
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: `${chunks}/[name]-[hash].js`,
    codeSplitting: { groups },
  }
}

// Each file that is opened costs a good part of a millisecond: what is needed at once lies together, with all that it imports.
const SAYDO = { name: 'saydo', test: /[\\/]src[\\/]index\.ts$/ }
// what saydo/transcript shares with it lies apart, so that the small entry does not load the large one; types (.d.ts) belong to no group
const CORE = { name: 'core', test: /[\\/]src[\\/](?:core[\\/][^.]+\.ts$|transcript[\\/]transcript\.ts$)/, priority: 1 }
// not the entry: it waits for the command, whose files would wait for it
const COMMANDS = { name: 'commands', test: /[\\/]src[\\/]cli[\\/]main\.ts$/ }

// two builds, since each wants other files: the library few, a command only what it needs
export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts', testing: 'src/testing.ts', transcript: 'src/transcript.ts' },
    dts: true,
    clean: true,
    outputOptions: output('lib', [CORE, SAYDO]),
  },
  { ...shared, entry: { cli: 'src/cli/bin.ts' }, dts: false, clean: false, outputOptions: output('bin', [COMMANDS]) },
])
