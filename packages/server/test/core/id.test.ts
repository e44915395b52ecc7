import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COUNT_MAX, publicIdPattern, toPublicId, toUuid, uuidV7 } from '../../src/core/id.ts'

const instants = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const counts = fc.integer({ min: 0, max: COUNT_MAX })
const randomUuids = fc.uuid({ version: 4 })
const ONES = 'ffffffff-ffff-4fff-bfff-ffffffffffff'

describe('a version 7 UUID', () => {
  test('holds the example of RFC 9562, appendix A.6', () => {
    expect(uuidV7(0x017f22e279b0, 0xcc3, '919108f7-52d1-4320-98c4-dc0c0c07398f')).toBe(
      '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
    )
  })

  test('always has version 7 and the RFC variant, whatever the randomness', () => {
    fc.assert(
      fc.property(instants, counts, randomUuids, (at, count, random) => {
        expect(uuidV7(at, count, random)).toMatch(
          /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
        )
      }),
    )
  })

  test('always sorts after one made in an earlier millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 2 }), randomUuids, (at, random) => {
        expect(uuidV7(at + 1, 0, random) > uuidV7(at, COUNT_MAX, ONES)).toBe(true)
      }),
    )
  })

  test('always sorts after one with a lower count in the same millisecond', () => {
    fc.assert(
      fc.property(
        instants,
        fc.integer({ min: 0, max: COUNT_MAX - 1 }),
        randomUuids,
        (at, count, random) => {
          expect(uuidV7(at, count + 1, random) > uuidV7(at, count, ONES)).toBe(true)
        },
      ),
    )
  })

  test('takes the random bits behind the version', () => {
    expect(uuidV7(0, COUNT_MAX, ONES)).toBe('00000000-0000-7fff-bfff-ffffffffffff')
  })

  test('is not made from what does not fit', () => {
    expect(() => uuidV7(0, 0, '0'.repeat(20))).toThrow('takes a random UUID')
    expect(() => uuidV7(0, COUNT_MAX + 1, ONES)).toThrow('twelve bits')
    expect(() => uuidV7(2 ** 48, 0, ONES)).toThrow('48 bits')
  })
})

describe('a public id', () => {
  const uuid = uuidV7(1_761_955_200_000, COUNT_MAX, ONES)

  test('always leads back to its UUID and matches its own pattern', () => {
    fc.assert(
      fc.property(instants, counts, randomUuids, (at, count, random) => {
        const made = uuidV7(at, count, random)
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
