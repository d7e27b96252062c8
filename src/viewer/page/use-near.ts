// An element → whether it has come near to what is seen of the page; once it has, it stays so, that nothing jumps.
import { useCallback, useEffect, useRef, useState } from './preact.js'

/** Pixels above and below that count as near. */
const MARGIN = 1_200

const watched = new Map<Element, () => void>()
const observer = new IntersectionObserver(
  entries => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) watched.get(target)?.()
  },
  { rootMargin: `${MARGIN}px 0px` },
)

export function useNear(): readonly [(element: HTMLElement | null) => void, boolean] {
  const [near, setNear] = useState(false)
  const element = useRef<HTMLElement | null>(null)
  const ref = useCallback((given: HTMLElement | null) => {
    element.current = given
  }, [])
  useEffect(() => {
    const own = element.current
    if (own === null || near) return undefined
    const forget = () => {
      watched.delete(own)
      observer.unobserve(own)
    }
    watched.set(own, () => {
      forget()
      setNear(true)
    })
    observer.observe(own)
    return forget
  }, [near])
  return [ref, near]
}
