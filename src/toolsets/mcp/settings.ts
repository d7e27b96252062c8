// How long a server is waited for, and how much of it is taken: what may be set, and what it is where it is not.

export interface ConnectionSettings {
  /** Time to connect, in ms. */
  readonly connectMs: number
  /** Time for one request without a sign of life, in ms. */
  readonly idleMs: number
  /** Time for one request in all, in ms. */
  readonly totalMs: number
  /** Longest message that is read, in bytes. */
  readonly maxMessageBytes: number
  /** Most tools of one server. */
  readonly maxTools: number
  /** How long to wait before each try to reach a server again that is gone, in ms. */
  readonly retryMs: readonly number[]
}

export const DEFAULT_SETTINGS: ConnectionSettings = {
  connectMs: 30_000,
  idleMs: 60_000,
  totalMs: 600_000,
  maxMessageBytes: 4 * 1024 * 1024,
  maxTools: 128,
  retryMs: [250, 1_000, 4_000],
}
