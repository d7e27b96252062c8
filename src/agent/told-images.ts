// The images of one run → the names that its events call them by; an event tells each once, before it is named.
import { createHash } from 'node:crypto'
import type { AgentEvent } from '../core/event.js'
import type { Image } from '../core/image.js'

export class ToldImages {
  readonly #emit: (event: AgentEvent) => void
  readonly #told = new Set<string>()
  #room = MOST_CHARS

  constructor(emit: (event: AgentEvent) => void) {
    this.#emit = emit
  }

  /** As a field of the event that names them; nothing for none. */
  named(images: readonly Image[] | undefined): { readonly images?: readonly string[] } {
    return images === undefined || images.length === 0 ? {} : { images: images.map(image => this.#name(image)) }
  }

  #name({ base64, ...image }: Image): string {
    const id = createHash('sha256').update(base64, 'base64').digest('hex')
    if (this.#told.has(id)) return id
    this.#told.add(id)
    this.#room -= base64.length
    this.#emit({ type: 'image', id, ...image, ...(this.#room >= 0 ? { base64 } : {}) })
    return id
  }
}

/** 32 MiB of bytes. */
const MOST_CHARS = Math.ceil((32 * 1024 * 1024 * 4) / 3)
