// A browser session → the tools that only look: scrolling, the text of a page, options, waiting.
import type { BrowserSession } from './browser-session.js'
import { markdownOf, partOf } from './markdown.js'
import { labelOf, optionsOf } from './page-node.js'
import { MEASURE, type Scroll, scrollBy } from './page-scripts.js'
import { Plain } from './plain.js'
import { type Action, INDEX, integer, object, string } from './tool-shapes.js'

const MOST_WAIT_S = 30

export function readingTools(session: BrowserSession, partSize: number): readonly Action[] {
  const scroll = (sign: 1 | -1): Action => ({
    name: sign > 0 ? 'scroll_down' : 'scroll_up',
    description: `Scrolls the page ${sign > 0 ? 'down' : 'up'}.`,
    effect: 'none',
    input: object({ amount: integer('Pixels; as much as can be seen when left out.') }, []),
    run: ({ amount }: { amount?: number }, { signal }) =>
      session.act(
        async ({ page }) => {
          const before = (await page.evaluate(MEASURE)) as Scroll
          const after = (await page.evaluate(scrollBy(sign * (amount ?? before.height)))) as Scroll
          const moved = Math.abs(after.above - before.above)
          const end = sign > 0 ? after.below : after.above
          // with the position: what is scrolled again gives something new, until nothing moves
          return `Scrolled ${moved} pixels, to ${after.above}. ${end === 0 ? `This is the ${sign > 0 ? 'end' : 'beginning'} of the page.` : `${end} pixels more.`}`
        },
        { signal, reads: true },
      ),
  })
  return [
    scroll(1),
    scroll(-1),
    {
      name: 'scroll_to_text',
      description: 'Scrolls to where a text stands on the page.',
      effect: 'none',
      input: object({ text: string('The text, or a part of it.') }),
      run: ({ text }: { text: string }, { signal }) =>
        session.act(
          async ({ page }) => {
            for (const frame of page.frames()) {
              const found = frame.getByText(text).first()
              if ((await found.count()) === 0) continue
              await found.scrollIntoViewIfNeeded()
              return `Scrolled to ${JSON.stringify(text)}.`
            }
            throw new Plain(`the text ${JSON.stringify(text)} is not on the page`)
          },
          { signal, reads: true },
        ),
    },
    {
      name: 'get_dropdown_options',
      description: 'Lists the options of a dropdown.',
      effect: 'none',
      input: object({ index: INDEX }),
      run: ({ index }: { index: number }, { signal }) =>
        session.act(
          async tab => {
            const { node, label } = await session.element(index, tab)
            const options = optionsOf(node)
            if (options.length === 0) throw new Plain(`${label} has no options that can be seen`)
            return options.map(each => `${labelOf(each)}${each.states.includes('selected') ? ' (selected)' : ''}`).join('\n')
          },
          { signal },
        ),
    },
    {
      name: 'extract_content',
      description: 'Gives the whole text of the page, with its tables and links, in parts.',
      effect: 'none',
      input: object({ part: integer('Which part, from 1; the first when left out.') }, []),
      run: ({ part = 1 }: { part?: number }, { signal }) =>
        session.act(
          async tab => {
            const whole = markdownOf(await session.nodes(tab))
            const { text, parts } = partOf(whole, part, partSize)
            if (whole === '') return tab.loading > 0 ? 'The page has no text yet: it is still loading.' : 'The page has no text.'
            if (text === '') throw new Plain(`there is no part ${part}: the page has ${parts}`)
            return parts === 1 ? text : `${text}\n\n(part ${part} of ${parts})`
          },
          { signal, reads: true },
        ),
    },
    {
      name: 'wait',
      description: 'Waits for the page.',
      effect: 'none',
      repeatable: true,
      input: object(
        { seconds: { type: 'number', minimum: 0, maximum: MOST_WAIT_S, description: `Default 3, at most ${MOST_WAIT_S}.` } },
        [],
      ),
      run: ({ seconds = 3 }: { seconds?: number }, { signal }) =>
        session.act(
          async () => {
            await pause(seconds * 1000, signal)
            return `Waited ${seconds} seconds.`
          },
          { signal, reads: true },
        ),
    },
  ]
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
