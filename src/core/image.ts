// A picture that a tool or an agent's world shows. A model gets it only where its user says that it can see (`vision`), and only with the last turn of a
// prompt: of earlier ones their words stay.

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'

export interface Image {
  readonly mime: ImageType
  /** At most `MOST_IMAGE_CHARS` of it. */
  readonly base64: string
  /** What it shows, in a few words. */
  readonly alt: string
}

/** 3 MiB of bytes. */
export const MOST_IMAGE_CHARS = 4 * 1024 * 1024

/** How files of each kind begin, in base64. */
const BEGINNINGS: readonly (readonly [ImageType, RegExp])[] = [
  ['image/png', /^iVBORw0KGgo/],
  ['image/jpeg', /^\/9j\//],
  ['image/webp', /^UklGR.{6}XRUJQ/],
]

/** An image from its bytes, which say what kind it is; undefined when they are no PNG, JPEG or WebP, or too many. */
export function imageOf(base64: unknown, alt: string): Image | undefined {
  if (typeof base64 !== 'string' || base64.length > MOST_IMAGE_CHARS || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  const mime = BEGINNINGS.find(([, beginning]) => beginning.test(base64))?.[0]
  return mime && { mime, base64, alt }
}
