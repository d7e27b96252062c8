// A run → one HTML file that shows it: it opens from the disk, asks no network for anything, and shows what models and tools wrote as text alone.
import { createHash } from 'node:crypto'
import page from './page/main.page'
import { pageData } from './page-data.js'
import { DATA_ID } from './second-run.js'
import type { Trace } from './trace.js'

/** Of the runs of a conversation, oldest first; mostly one. `record` is the name by which `saydo trace` finds it; default the id of the first. */
export function pageOf(traces: readonly [Trace, ...Trace[]], record?: string): string {
  const { script, style } = page
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    '<title>saydo trace</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<div id="page"><noscript>This page is drawn by its own script: allow it, or read the run with saydo trace.</noscript></div>',
    `<script type="application/json" id="${DATA_ID}">${dataText(pageData(traces, record))}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** JSON that ends no script, whatever stands in it. */
function dataText(data: unknown): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function hashOf(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`
}
