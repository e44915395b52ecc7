/**
 * A QR code of version 3 and error correction L (ISO/IEC 18004): 29 × 29 modules, at most 53 bytes.
 * One version and one mask are enough for the address of a wallet, and keep this file small.
 */
export const QR_SIZE = 29
const DATA_BYTES = 55
const EC_BYTES = 15
export const QR_TEXT_MAX = DATA_BYTES - 2
/** Level L and mask 0, with their check bits. */
const FORMAT = 0b111011111000100

type Module = boolean | null

/** The rows of dark modules. Undefined if the text is too long. */
export function qrRows(text: string): readonly (readonly boolean[])[] | undefined {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > QR_TEXT_MAX) return undefined
  const grid: Module[][] = Array.from({ length: QR_SIZE }, () => Array(QR_SIZE).fill(null))
  placePatterns(grid)
  const data = dataBytes(bytes)
  placeBits(grid, [...data, ...errorBytes(data)])
  return grid.map((row) => row.map((module) => module === true))
}

/** Mode 4 (bytes), the length, the text, a terminator, and padding. */
function dataBytes(bytes: Uint8Array): number[] {
  const nibbles = [4, bytes.length >> 4, bytes.length & 15]
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15)
  nibbles.push(0)
  const data: number[] = []
  for (let at = 0; at < nibbles.length; at += 2) {
    data.push(((nibbles[at] ?? 0) << 4) | (nibbles[at + 1] ?? 0))
  }
  for (let pad = 0; data.length < DATA_BYTES; pad += 1) data.push(pad % 2 === 0 ? 0xec : 0x11)
  return data
}

/** Multiplies in GF(256) with the polynomial 0x11d. */
export function multiply(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((other >> bit) & 1) * one
  }
  return product
}

/** The remainder of the data by the generator polynomial (Reed-Solomon). */
function errorBytes(data: readonly number[]): number[] {
  const generator: number[] = [...Array(EC_BYTES - 1).fill(0), 1]
  let root = 1
  for (let degree = 0; degree < EC_BYTES; degree += 1) {
    for (let at = 0; at < EC_BYTES; at += 1) {
      generator[at] = multiply(generator[at] ?? 0, root) ^ (generator[at + 1] ?? 0)
    }
    root = multiply(root, 2)
  }
  const rest: number[] = Array(EC_BYTES).fill(0)
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0)
    rest.push(0)
    for (const [at, coefficient] of generator.entries()) {
      rest[at] = (rest[at] ?? 0) ^ multiply(coefficient, factor)
    }
  }
  return rest
}

function put(grid: Module[][], x: number, y: number, isDark: boolean): void {
  const row = grid[y]
  if (row && x >= 0 && x < QR_SIZE) row[x] = isDark
}

function placePatterns(grid: Module[][]): void {
  for (let at = 0; at < QR_SIZE; at += 1) {
    put(grid, 6, at, at % 2 === 0)
    put(grid, at, 6, at % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [QR_SIZE - 4, 3],
    [3, QR_SIZE - 4],
  ] as const) {
    placeSquare(grid, x, y, 4, [0, 1, 3])
  }
  placeSquare(grid, 22, 22, 2, [0, 2])
  placeFormat(grid)
}

/** Rings around a centre: those at the named distances are dark. */
function placeSquare(
  grid: Module[][],
  cx: number,
  cy: number,
  reach: number,
  dark: number[],
): void {
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      put(grid, cx + dx, cy + dy, dark.includes(Math.max(Math.abs(dx), Math.abs(dy))))
    }
  }
}

/** The format stands twice: around the first finder, and beside the two others. */
function placeFormat(grid: Module[][]): void {
  const bit = (at: number) => ((FORMAT >> at) & 1) === 1
  for (let at = 0; at <= 5; at += 1) put(grid, 8, at, bit(at))
  put(grid, 8, 7, bit(6))
  put(grid, 8, 8, bit(7))
  put(grid, 7, 8, bit(8))
  for (let at = 9; at < 15; at += 1) put(grid, 14 - at, 8, bit(at))
  for (let at = 0; at < 8; at += 1) put(grid, QR_SIZE - 1 - at, 8, bit(at))
  for (let at = 8; at < 15; at += 1) put(grid, 8, QR_SIZE - 15 + at, bit(at))
  put(grid, 8, QR_SIZE - 8, true)
}

/** Two columns at a time, from the right, up and down in turn; the column of timing is left out. */
export function* dataPlaces(): Generator<readonly [x: number, y: number]> {
  for (let right = QR_SIZE - 1; right >= 1; right -= 2) {
    const column = right <= 6 ? right - 1 : right
    const isUpward = ((column + 1) & 2) === 0
    for (let step = 0; step < QR_SIZE; step += 1) {
      const y = isUpward ? QR_SIZE - 1 - step : step
      yield [column, y]
      yield [column - 1, y]
    }
  }
}

function placeBits(grid: Module[][], bytes: readonly number[]): void {
  let at = 0
  for (const [x, y] of dataPlaces()) {
    if (grid[y]?.[x] !== null) continue
    const bit = ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1
    // Mask 0 turns each second module.
    put(grid, x, y, (bit === 1) !== ((x + y) % 2 === 0))
    at += 1
  }
}
