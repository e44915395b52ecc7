/** Checks a stored string and gives it the hexadecimal type that viem requires. */
export function asHex(text: string): `0x${string}` {
  if (!/^0x[0-9a-f]+$/i.test(text)) throw new Error('A stored text is not hexadecimal.')
  return text as `0x${string}`
}
