import { describe, expect, it } from 'vitest'
import { patientFetch } from '../../src/model/patient-fetch.js'
import { startEndpoint } from '../support/endpoint.js'

interface Limits {
  readonly headersTimeout?: number
  readonly bodyTimeout?: number
}
interface Dispatcher {
  dispatch(options: Limits, handler: unknown): boolean
}

describe('the patient fetch', () => {
  it('asks the dispatcher in charge, whichever it is, for no limits of time', async () => {
    const endpoint = await startEndpoint()
    await (await fetch(`${endpoint.url}/models`)).text() // Node loads its dispatcher now
    const key = Symbol.for('undici.globalDispatcher.1')
    const place = globalThis as unknown as Record<symbol, Dispatcher>
    const before = place[key]
    if (!before) throw new Error('this Node keeps its dispatcher elsewhere')
    const asked: Limits[] = []
    const dispatch: Dispatcher['dispatch'] = (options, handler) => {
      asked.push({ headersTimeout: options.headersTimeout ?? -1, bodyTimeout: options.bodyTimeout ?? -1 })
      return before.dispatch(options, handler)
    }
    try {
      place[key] = Object.create(before, { dispatch: { value: dispatch } })
      const response = await patientFetch(`${endpoint.url}/models`)
      expect(await response.json()).toMatchObject({ data: [{ id: 'stub' }] })
      expect(asked).toEqual([{ headersTimeout: 0, bodyTimeout: 0 }])
    } finally {
      place[key] = before
      await endpoint.close()
    }
  })
})
