import { describe, expect, test } from 'vitest'
import { imageOf, MOST_IMAGE_CHARS } from '../../src/core/image.js'
import { JPEG, PNG, WEBP } from '../support/images.js'

describe('the bytes of an image', () => {
  test.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/webp', WEBP],
  ])('say that it is %s', (mime, base64) => {
    expect(imageOf(base64, 'x')).toEqual({ mime, base64, alt: 'x' })
  })

  test.each([
    ['none', ''],
    ['a GIF', 'R0lGODlhAQABAAAAACw='],
    ['a WAV, which begins as a WEBP does', 'UklGRhI0VnhXQVZFZm10IA=='],
    ['text', Buffer.from('<svg/>').toString('base64')],
    ['no base64', `${PNG}\n`],
    ['a URL', `data:image/png;base64,${PNG}`],
    ['too many', PNG.padEnd(MOST_IMAGE_CHARS + 1, 'A')],
    ['no string', 7],
  ])('are refused when they are %s', (_, base64) => {
    expect(imageOf(base64, 'x')).toBeUndefined()
  })
})
