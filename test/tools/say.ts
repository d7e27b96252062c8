// A text's name and its data → the name and the data: enough to see what the model would be told.
import type { Say } from '../../src/core/text.js'

export const say: Say = (name, data) => (data === undefined ? name : `${name} ${JSON.stringify(data)}`)
