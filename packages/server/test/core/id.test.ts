import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { publicIdPattern, toPublicId, toUuid, uuidV7 } from '../../src/core/id.ts'

const instants = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 })
const ONES = new Uint8Array(10).fill(0xff)

describe('a version 7 UUID', () => {
  test('holds the example of RFC 9562, appendix A.6', () => {
    const random = Uint8Array.from([0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f])
    expect(uuidV7(0x017f22e279b0, random)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
  })

  test('always has version 7 and the RFC variant, whatever the randomness', () => {
    fc.assert(
      fc.property(instants, tenBytes, (at, random) => {
        expect(uuidV7(at, random)).toMatch(
          /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
        )
      }),
    )
  })

  test('always sorts after one made in an earlier millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 2 }), tenBytes, (at, random) => {
        expect(uuidV7(at + 1, random) > uuidV7(at, ONES)).toBe(true)
      }),
    )
  })

  test('uses all of the randomness', () => {
    expect(uuidV7(0, ONES)).toBe('00000000-0000-7fff-bfff-ffffffffffff')
  })

  test('leaves the bytes it was given as they were', () => {
    const random = new Uint8Array(10)
    uuidV7(0, random)
    expect(random).toEqual(new Uint8Array(10))
  })

  test('is not made from too little randomness', () => {
    expect(() => uuidV7(0, new Uint8Array(9))).toThrow('ten random bytes')
  })
})

describe('a public id', () => {
  const uuid = uuidV7(1_761_955_200_000, ONES)

  test('always leads back to its UUID and matches its own pattern', () => {
    fc.assert(
      fc.property(instants, tenBytes, (at, random) => {
        const made = uuidV7(at, random)
        const publicId = toPublicId('mnd', made)
        expect(toUuid('mnd', publicId)).toBe(made)
        expect(publicId).toMatch(new RegExp(publicIdPattern('mnd')))
      }),
    )
  })

  test.each([
    ['another kind', toPublicId('txn', uuid)],
    ['capitals', toPublicId('mnd', uuid).toUpperCase()],
    ['dashes', `mnd_${uuid}`],
    ['no prefix', uuid.replaceAll('-', '')],
    ['a digit too many', `${toPublicId('mnd', uuid)}0`],
    ['a line break at the end', `${toPublicId('mnd', uuid)}\n`],
    ['nothing', ''],
  ])('is refused with %s', (_, text) => {
    expect(toUuid('mnd', text)).toBeUndefined()
  })
})
