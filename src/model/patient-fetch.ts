// Node's fetch, without its own limit of 300 s until the headers and between two pieces of a body: a small model on a slow machine needs
// longer for a reply that comes whole. The limits that count are ours. Whatever dispatcher is in charge (a proxy's, a mock) stays in charge;
// where there is none to be found, fetch stays as it is.

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean
}

/** Where Node keeps the dispatcher of its fetch; it is there as soon as one of fetch's own classes was touched. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

export const patientFetch: typeof globalThis.fetch = (input, init) => {
  const dispatcher = patientDispatcher()
  return globalThis.fetch(input, (dispatcher ? { ...init, dispatcher } : init) as RequestInit)
}

function patientDispatcher(): Dispatcher | undefined {
  void globalThis.Headers
  const current = (globalThis as { [DISPATCHER]?: Dispatcher })[DISPATCHER]
  if (typeof current?.dispatch !== 'function') return undefined
  const dispatch: Dispatcher['dispatch'] = (options, handler) =>
    current.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)
  return Object.create(current, { dispatch: { value: dispatch } })
}
