// Images that are as small as can be, one of each kind, and what they are once they are read.
import { type Image, imageOf } from '../../src/core/image.js'

/** One pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Beginnings of files; nothing draws them. */
export const JPEG = '/9j/4AAQSkZJRgABAQ=='
export const WEBP = 'UklGRhI0VnhXRUJQVlA4IA=='

export function image(base64: string, alt = 'a picture'): Image {
  const read = imageOf(base64, alt)
  if (!read) throw new Error('no image')
  return read
}
