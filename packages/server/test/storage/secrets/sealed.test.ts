import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSealer } from '../../../src/storage/secrets/sealed.ts'

const sealer = createSealer(Buffer.alloc(32, 1))
const ORG = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11'
const OLD_VALUE = 'Ac+d2QROnYrvBXHr7Glx5V2UDHVxps/1MlxAasXuIY+oiYioLDWauwkS'

describe('a sealed value', () => {
  test('opens to what was sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), (plain) => {
        expect(sealer.open(ORG, 'test', sealer.seal(ORG, 'test', plain))).toBe(plain)
      }),
      { numRuns: 50 },
    )
  })

  test('shows nothing of what is in it, and is different every time', () => {
    const plain = 'whsec_the secret of the house'
    const [one, two] = [sealer.seal(ORG, 'test', plain), sealer.seal(ORG, 'test', plain)]
    expect(one.equals(two)).toBe(false)
    expect(one.includes('whsec_')).toBe(false)
  })

  test('does not open when a single bit of it is changed, wherever', () => {
    const sealed = sealer.seal(ORG, 'test', 'secret')
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(() => sealer.open(ORG, 'test', changed), `bit ${bit}`).toThrow()
    }
  })

  test('does not open when it is cut short or made longer', () => {
    const sealed = sealer.seal(ORG, 'test', 'secret')
    for (let length = 0; length < sealed.length; length++) {
      expect(() => sealer.open(ORG, 'test', sealed.subarray(0, length))).toThrow()
    }
    expect(() => sealer.open(ORG, 'test', Buffer.concat([sealed, Buffer.of(0)]))).toThrow()
  })

  test('does not open for another organization, another purpose or under another key', () => {
    const sealed = sealer.seal(ORG, 'test', 'secret')
    expect(() => sealer.open(`${ORG}1`, 'test', sealed)).toThrow()
    expect(() => sealer.open(ORG, 'other', sealed)).toThrow()
    expect(() => createSealer(Buffer.alloc(32, 2)).open(ORG, 'test', sealed)).toThrow()
  })

  test('says which master key it is under, and opens wherever that key is', () => {
    const [old, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const both = createSealer(next, [old])
    const sealed = sealer.seal(ORG, 'test', 'secret')
    expect(sealed.subarray(0, 9)).toEqual(sealer.mark)
    expect(sealer.mark).not.toEqual(both.mark)
    expect(both.open(ORG, 'test', sealed)).toBe('secret')
    expect(both.seal(ORG, 'test', 'secret').subarray(0, 9)).toEqual(both.mark)
    expect(() => sealer.open(ORG, 'test', both.seal(ORG, 'test', 'secret'))).toThrow(
      'that is not set',
    )
  })

  test('from before keys had ids opens under whichever key it was', () => {
    // Made by the version before, under the key of this file.
    const old = Buffer.from(OLD_VALUE, 'base64')
    expect(old[0]).toBe(1)
    expect(sealer.open(ORG, 'test', old)).toBe('secret of old')
    const both = createSealer(Buffer.alloc(32, 2), [Buffer.alloc(32, 1)])
    expect(both.open(ORG, 'test', old)).toBe('secret of old')
    const wrong = createSealer(Buffer.alloc(32, 2), [Buffer.alloc(32, 3)])
    expect(() => wrong.open(ORG, 'test', old)).toThrow()
  })

  test('of a version that does not exist yet is refused as such', () => {
    const sealed = sealer.seal(ORG, 'test', 'secret')
    sealed.writeUInt8(3, 0)
    expect(() => sealer.open(ORG, 'test', sealed)).toThrow('unknown version')
  })
})
