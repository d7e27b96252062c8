// A result that shows something: what the tool returned, and images for a model that can see. As text it is the result alone.
import { type Image, imageOf } from '../core/image.js'

/**
 * What a tool returns to show images beside its result. An agent without `vision` takes the result alone, so that it should say what they show; so does
 * any agent where the tool runs in a process of its own.
 */
export class WithImages {
  readonly result: unknown
  readonly images: readonly Image[]

  constructor(result: unknown, images: readonly Image[]) {
    this.result = result
    this.images = images
  }

  /** What it is to whoever does not know it, such as another copy of the library. */
  toJSON(): unknown {
    return this.result
  }
}

/** Those that can be shown: what a program says about its images need not be so. */
export function shownOf({ images }: WithImages): readonly Image[] {
  if (!Array.isArray(images)) return []
  return images.flatMap(given => imageOf(given?.base64, String(given?.alt ?? '')) ?? []).slice(0, MOST)
}

const MOST = 4
