import { MICROS_MAX, type Micros } from './money.ts'

/**
 * How many decimals the minor unit of a currency has, where that is not two (ISO 4217). This is our
 * own table: Intl answers with what people write in daily life, which differs for 17 currencies.
 */
const DECIMALS: ReadonlyMap<string, number> = new Map(
  [
    [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
    [3, 'BHD IQD JOD KWD LYD OMR TND'],
    [4, 'CLF UYW'],
  ].flatMap(([decimals, codes]) =>
    String(codes)
      .split(' ')
      .map((code) => [code, Number(decimals)] as const),
  ),
)

const MICRO_DECIMALS = 6

/** From the integer of minor units that other parties send. Undefined for what is no such integer. */
export function fromMinor(minor: unknown, currency: string): Micros | undefined {
  if (typeof minor !== 'number' || !Number.isSafeInteger(minor)) return undefined
  const micros = BigInt(minor) * minorUnitOf(currency)
  return micros > MICROS_MAX || micros < -MICROS_MAX ? undefined : micros
}

/** In minor units, rounded down: what is approved is never more than what was judged. */
export function toMinor(micros: Micros, currency: string): number {
  return Number(micros / minorUnitOf(currency))
}

/** The smallest amount that the currency can pay. */
export function minorUnitOf(currency: string): Micros {
  const decimals = DECIMALS.get(currency) ?? 2
  return 10n ** BigInt(MICRO_DECIMALS - decimals)
}
