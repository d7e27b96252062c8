import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32OfText } from '../../src/transcript/crc32.js'

test('a checksum is that of zlib, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(crc32OfText(text)).toBe(crc32(text))
    }),
  )
  expect(crc32OfText('\ud800')).toBe(crc32('\ud800'))
})
