/**
 * The hash by which Citus places an organization: PostgreSQL's hash of a uuid, as a signed number. With
 * it the process knows the node of an organization without a question. A machine with the other order
 * of bytes has other hashes, so node-map.ts compares one with the database.
 */
export function hashOrganization(id: string): number {
  const seed = (0x9e3779b9 + 16 + 3923095) | 0
  let [a, b, c] = mix(
    (seed + wordAt(id, 0)) | 0,
    (seed + wordAt(id, 1)) | 0,
    (seed + wordAt(id, 2)) | 0,
  )
  a = (a + wordAt(id, 3)) | 0
  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  return ((c ^ b) - rotate(b, 24)) | 0
}

function mix(first: number, second: number, third: number): [number, number, number] {
  let [a, b, c] = [first, second, third]
  a = ((a - c) ^ rotate(c, 4)) | 0
  c = (c + b) | 0
  b = ((b - a) ^ rotate(a, 6)) | 0
  a = (a + c) | 0
  c = ((c - b) ^ rotate(b, 8)) | 0
  b = (b + a) | 0
  a = ((a - c) ^ rotate(c, 16)) | 0
  c = (c + b) | 0
  b = ((b - a) ^ rotate(a, 19)) | 0
  a = (a + c) | 0
  c = ((c - b) ^ rotate(b, 4)) | 0
  b = (b + a) | 0
  return [a, b, c]
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

/** Where the hexadecimal digits of each byte begin in the text of an id. */
const BYTES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** Four bytes of the id as a number, the lowest byte first. */
function wordAt(id: string, word: number): number {
  let value = 0
  for (let byte = 3; byte >= 0; byte -= 1) {
    const at = BYTES[word * 4 + byte] ?? 0
    value = (value << 8) | Number.parseInt(id.slice(at, at + 2), 16)
  }
  return value
}
