// Node's fetch, without its own limit of 300 s until the headers and between two pieces of a body: a small model on a slow machine needs
// longer for a reply that comes whole. The limits that count are ours. Where this cannot be had, fetch stays as it is.

/** Where Node keeps the dispatcher of its fetch; it is there as soon as one of fetch's own classes was touched. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

let dispatcher: object | undefined

export const patientFetch: typeof globalThis.fetch = (input, init) => {
  dispatcher ??= openDispatcher()
  return globalThis.fetch(input, (dispatcher ? { ...init, dispatcher } : init) as RequestInit)
}

function openDispatcher(): object | undefined {
  void globalThis.Headers
  const current = (globalThis as { [DISPATCHER]?: object })[DISPATCHER]
  // a dispatcher that somebody else has put there, such as a proxy's, is left in charge
  if (current?.constructor.name !== 'Agent') return undefined
  const Agent = current.constructor as new (options: object) => object
  return new Agent({ headersTimeout: 0, bodyTimeout: 0 })
}
