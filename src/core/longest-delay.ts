// The longest time that a timer can be given. A longer one fires at once, so that whoever takes a time from outside bounds it by this.

/** In ms: nearly 25 days. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1
