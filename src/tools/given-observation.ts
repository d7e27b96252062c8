// An observation that is known already, as a tool that stands for a recorded one returns it: it reaches the model as it is.
import type { Observation } from '../core/tool.js'

export class GivenObservation {
  readonly result: Pick<Observation, 'text' | 'failure' | 'truncated' | 'data'>

  constructor({ text, failure, truncated, data }: GivenObservation['result']) {
    this.result = { text, truncated, ...(failure ? { failure } : {}), ...(data === undefined ? {} : { data }) }
  }
}
