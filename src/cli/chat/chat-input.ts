// Where the entries of a chat come from: a person at a terminal, or the lines of a pipe.

export type Entry =
  | { readonly kind: 'text'; readonly text: string }
  /** Nothing more comes. */
  | { readonly kind: 'end' }
  /** The person wants to leave at once. */
  | { readonly kind: 'interrupted' }

export interface ChatInput {
  /** Somebody sees what is written and can answer. */
  readonly isTerminal: boolean
  next(): Promise<Entry>
  close(): void
}
