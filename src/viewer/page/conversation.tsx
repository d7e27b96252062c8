// What a page holds → its run; of a conversation the last, with a way to the ones before it.
import type { PageData } from '../page-data.js'
import { App } from './app.js'
import { readAmong } from './place.js'
import { useLayoutEffect, useState } from './preact.js'
import { Text } from './text-view.js'
import './conversation.css'

export function Conversation({ trace, earlier, ...data }: PageData) {
  const traces = [...earlier, trace]
  const count = traces.length
  const [at, setAt] = useState(() => readAmong(location.hash, count) ?? count)
  useLayoutEffect(() => {
    // a place without a turn is one of the run that is shown
    const change = () => setAt(now => readAmong(location.hash, count) ?? now)
    addEventListener('hashchange', change)
    return () => removeEventListener('hashchange', change)
  }, [count])
  const shown = traces[at - 1] ?? trace
  if (count === 1) return <App {...data} trace={trace} isPast={false} />
  return (
    <>
      <nav class="talk" aria-label="The tasks of this conversation">
        <ol>
          {traces.map(({ task, result }, index) => (
            <li key={index}>
              <a href={`#turn=${index + 1}`} {...(index + 1 === at ? { 'aria-current': 'page' as const } : {})}>
                <Text text={task.slice(0, LONGEST)} />
              </a>{' '}
              <span class="quiet">{result?.stop ?? 'unfinished'}</span>
            </li>
          ))}
        </ol>
      </nav>
      <App key={at} {...data} trace={shown} turn={at} isPast={at < count} />
    </>
  )
}

/** In characters. */
const LONGEST = 120
