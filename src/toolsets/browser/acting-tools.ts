// A browser session → the tools that do something to a page: clicks, texts, choices, keys, answers to dialogs.
import type { ToolContext } from '../../core/tool.js'
import type { BrowserSession, Element } from './browser-session.js'
import { keyNames } from './keys.js'
import { labelOf, optionsOf } from './page-node.js'
import { Plain } from './plain.js'
import type { Tab } from './tabs.js'
import { type Action, INDEX, object, string } from './tool-shapes.js'

const MOST_OPTIONS = 100

export function actingTools(session: BrowserSession): readonly Action[] {
  const onElement = (index: number, { signal }: ToolContext, work: (element: Element, tab: Tab) => Promise<string>) =>
    session.act(async tab => work(await session.element(index, tab), tab), { signal })
  return [
    {
      name: 'click_element',
      description: 'Clicks an element of the page.',
      input: object({ index: INDEX }),
      run: ({ index }: { index: number }, context) =>
        onElement(index, context, async ({ locator, label, node }) => {
          requireEnabled(node.states, label)
          await locator.click()
          return `Clicked ${label}.`
        }),
    },
    {
      name: 'input_text',
      description: 'Writes text into a field, in place of what stands there.',
      input: object({ index: INDEX, text: string('The text; empty to clear the field.') }),
      run: ({ index, text }: { index: number; text: string }, context) =>
        onElement(index, context, async ({ locator, label, node }) => {
          requireEnabled(node.states, label)
          await locator.fill(text).catch(error => {
            throw /is not an <input>|cannot be filled|not editable/i.test(String(error))
              ? new Plain(`${label} takes no text`)
              : error
          })
          return text === '' ? `Cleared ${label}.` : `Wrote into ${label}.`
        }),
    },
    {
      name: 'select_dropdown_option',
      description: 'Chooses an option of a dropdown.',
      input: object({ index: INDEX, text: string('The option, as it is shown.') }),
      run: ({ index, text }: { index: number; text: string }, context) =>
        onElement(index, context, async ({ locator, label, node }) => {
          const names = optionsOf(node).map(labelOf)
          const option = theOne(names, text)
          if (names.length === 0) throw new Plain(`${label} has no options that can be seen: click it, then click what appears`)
          if (option === undefined) throw new Plain(`${label} has no option ${JSON.stringify(text)}; there are ${listed(names)}`)
          await locator.selectOption({ label: option }).catch(error => {
            throw /not a <select>/i.test(String(error)) ? new Plain(`${label} is no plain dropdown: click the option`) : error
          })
          return `Chose ${JSON.stringify(option)} in ${label}.`
        }),
    },
    {
      name: 'send_keys',
      description: 'Presses a key, or keys at once, where the focus is: Enter, Escape, Tab, ArrowDown, Control+A.',
      input: object({ keys: string('Names of keys, joined by +.') }),
      run: ({ keys }: { keys: string }, { signal }) =>
        session.act(
          async ({ page }) => {
            const named = keyNames(keys)
            await page.keyboard.press(named).catch(error => {
              throw /Unknown key/.test(String(error))
                ? new Plain(`there is no key ${JSON.stringify(keys)}; text goes in by input_text`)
                : error
            })
            return `Pressed ${named}.`
          },
          { signal },
        ),
    },
    {
      name: 'answer_dialog',
      description: 'Answers a dialog that waits.',
      input: object(
        { accept: { type: 'boolean', description: 'OK or Cancel.' }, text: string('What to answer, where it asks for text.') },
        ['accept'],
      ),
      run: ({ accept, text }: { accept: boolean; text?: string }, { signal }) =>
        session.act(
          async tab => {
            const { dialog } = tab
            if (!dialog) throw new Plain('no dialog waits for an answer')
            tab.dialog = undefined
            await (accept ? dialog.accept(text) : dialog.dismiss())
            return accept ? 'Accepted the dialog.' : 'Dismissed the dialog.'
          },
          { signal, answers: true },
        ),
    },
  ]
}

function requireEnabled(states: readonly string[], label: string): void {
  if (states.includes('disabled')) throw new Plain(`${label} is disabled`)
}

/** As it is written, or the only one that differs in case and blanks alone. */
function theOne(names: readonly string[], wanted: string): string | undefined {
  const key = (text: string) => text.trim().toLowerCase()
  if (names.includes(wanted)) return wanted
  const alike = [...new Set(names.filter(name => key(name) === key(wanted)))]
  return alike.length === 1 ? alike[0] : undefined
}

function listed(names: readonly string[]): string {
  const shown = names
    .slice(0, MOST_OPTIONS)
    .map(name => JSON.stringify(name))
    .join(', ')
  return names.length > MOST_OPTIONS ? `${shown} and ${names.length - MOST_OPTIONS} more` : shown
}
