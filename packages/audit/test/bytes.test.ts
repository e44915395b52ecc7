import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { concatBytes, utf8 } from '../src/bytes.ts'
import { decodeBase64, equalBytes, fromHex, toBase64, toHex } from '../src/index.ts'

const bytes = fc.uint8Array({ maxLength: 200 })

describe('bytes', () => {
  test('have the texts that Node gives them, and come back from these', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        const buffer = Buffer.from(value)
        expect(toHex(value)).toBe(buffer.toString('hex'))
        expect(fromHex(toHex(value))).toEqual(Uint8Array.from(value))
        expect(toBase64(value)).toBe(buffer.toString('base64'))
        expect(decodeBase64(toBase64(value))).toEqual(Uint8Array.from(value))
      }),
    )
  })

  test.each([8_191, 8_192, 8_193, 1_000_000])('have the Base64 of Node for %i bytes', (length) => {
    const value = Uint8Array.from({ length }, (_, at) => at % 251)
    expect(toBase64(value)).toBe(Buffer.from(value).toString('base64'))
    expect(Buffer.from(value).equals(decodeBase64(toBase64(value)) ?? value.subarray(1))).toBe(true)
  })

  test('are the same only with the same length and the same values', () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        expect(equalBytes(one, other)).toBe(Buffer.from(one).equals(other))
        expect(equalBytes(one, Uint8Array.from(one))).toBe(true)
        expect(concatBytes(one, other)).toEqual(Uint8Array.from([...one, ...other]))
      }),
    )
  })

  test.each(['', 'plain', 'Größe ✓ 😀', 'half of a pair: \ud800', '\0\u{10ffff}'])(
    'of the text %j are its UTF-8',
    (text) => {
      expect(utf8(text)).toEqual(Uint8Array.from(Buffer.from(text)))
    },
  )

  test.each(['AA', 'AA=', 'AB==', 'AA==\n', ' AA==', 'A A==', 'AA==AA==', '-_==', '=', '😀'])(
    'are not read from %j, which is not what Base64 of any bytes looks like',
    (text) => {
      expect(decodeBase64(text)).toBeUndefined()
    },
  )
})
