// Keys pressed anywhere but in a field → what they stand for.
import { useLayoutEffect, useRef } from './preact.js'

export type Keys = Readonly<Record<string, () => void>>

export function useKeys(keys: Keys): void {
  // keys may follow each other faster than effects
  const latest = useRef(keys)
  latest.current = keys
  // with the drawing itself: a key that follows at once is heard
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const inField = event.target instanceof HTMLInputElement && event.target.type !== 'radio'
      if (inField && event.key !== 'Escape') return
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
