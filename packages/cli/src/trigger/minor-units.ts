/**
 * The currencies whose minor unit is not a hundredth (ISO 4217). The gateway has its own table; a
 * test compares the two.
 */
const DECIMALS: readonly (readonly [decimals: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

/** Returns the amount in minor units, or undefined if the currency cannot pay it exactly. */
export function toMinorUnits(text: string, currency: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  const decimals = decimalsOf(currency)
  const rest = fraction.slice(decimals)
  if (whole === undefined || /[1-9]/.test(rest)) return undefined
  return Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

/** The number of decimals of the currency's minor unit. */
export function decimalsOf(currency: string): number {
  return DECIMALS.find(([, codes]) => codes.split(' ').includes(currency))?.[0] ?? 2
}
