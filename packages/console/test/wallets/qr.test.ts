import { expect, test } from 'vitest'
import { dataPlaces, multiply, QR_SIZE, qrRows } from '../../src/screens/wallets/qr.ts'

const ADDRESS = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'

/** Whether a module belongs to a finder, timing, alignment or format pattern. */
function isPattern(x: number, y: number): boolean {
  const isFinder =
    (x <= 8 && y <= 8) || (x >= QR_SIZE - 8 && y <= 8) || (x <= 8 && y >= QR_SIZE - 8)
  const isAlignment = Math.abs(x - 22) <= 2 && Math.abs(y - 22) <= 2
  return isFinder || isAlignment || x === 6 || y === 6
}

function readBytes(rows: readonly (readonly boolean[])[]): number[] {
  const bits = [...dataPlaces()]
    .filter(([x, y]) => !isPattern(x, y))
    .map(([x, y]) => (rows[y]?.[x] !== ((x + y) % 2 === 0) ? 1 : 0))
  return Array.from({ length: 70 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte: number, bit) => byte * 2 + bit, 0),
  )
}

test('a reader finds the address, and the error correction has no remainder', () => {
  const rows = qrRows(ADDRESS) ?? []
  const bytes = readBytes(rows)
  const nibbles = bytes.flatMap((byte) => [byte >> 4, byte & 15])
  expect(nibbles.slice(0, 3)).toEqual([4, 42 >> 4, 42 & 15])
  const text = Array.from({ length: 42 }, (_, at) =>
    String.fromCharCode(((nibbles[3 + at * 2] ?? 0) << 4) | (nibbles[4 + at * 2] ?? 0)),
  )
  expect(text.join('')).toBe(ADDRESS)
  // A codeword is a multiple of the generator, so it is zero at each of its 15 roots.
  let root = 1
  for (let degree = 0; degree < 15; degree += 1) {
    const value = bytes.reduce((sum, byte) => multiply(sum, root) ^ byte, 0)
    expect(value).toBe(0)
    root = multiply(root, 2)
  }
})

test('the patterns stand where a reader looks for them', () => {
  const rows = qrRows(ADDRESS) ?? []
  const dark = (y: number, from: number, to: number) =>
    rows[y]?.slice(from, to).map(Number).join('')
  expect(dark(0, 0, 8)).toBe('11111110')
  expect(dark(3, 21, 29)).toBe('01011101')
  expect(dark(6, 0, 29)).toBe('11111110101010101010101111111')
  expect([dark(20, 20, 25), dark(22, 20, 25)]).toEqual(['11111', '10101'])
  // Level L with mask 0, most significant bit first, along the row of the first finder.
  expect([0, 1, 2, 3, 4, 5, 7, 8].map((x) => Number(rows[8]?.[x])).join('')).toBe('11101111')
})

test('a text that does not fit has no code', () => {
  expect(qrRows('x'.repeat(54))).toBeUndefined()
})
