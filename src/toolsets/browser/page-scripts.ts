// What is asked of a page in its own language: how far it is scrolled, and that it scrolls. Texts, not functions: what a bundler makes of a function is
// not what a page understands.

/** What scrolls: the page, or where that does not, its largest part that does. */
const SCROLLER = `(() => {
  const page = document.scrollingElement ?? document.documentElement
  if (page.scrollHeight > innerHeight + 1) return page
  const area = each => each.clientWidth * each.clientHeight
  const parts = [...document.querySelectorAll('body *')].slice(0, 5000).filter(each =>
    each.scrollHeight > each.clientHeight + 1 && each.clientHeight > 50 && /auto|scroll/.test(getComputedStyle(each).overflowY))
  return parts.reduce((best, each) => (area(each) > area(best) ? each : best), parts[0] ?? page)
})()`

const MEASURES = `(each => ({
  above: Math.round(each.scrollTop),
  below: Math.max(0, Math.round(each.scrollHeight - each.scrollTop - each.clientHeight)),
  height: Math.round(each.clientHeight),
}))`

export interface Scroll {
  readonly above: number
  readonly below: number
  /** Of what can be seen. */
  readonly height: number
}

/** Gives a `Scroll`. */
export const MEASURE = `${MEASURES}(${SCROLLER})`

/** Scrolls by pixels, then gives a `Scroll`. */
export function scrollBy(pixels: number): string {
  return `(each => { each.scrollBy({ top: ${Math.round(pixels)}, behavior: 'instant' }); return ${MEASURES}(each) })(${SCROLLER})`
}
