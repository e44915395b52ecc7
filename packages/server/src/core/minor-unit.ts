import { MICROS_MAX, type Micros } from './money.ts'

/**
 * The decimals of a currency's minor unit, if not two (ISO 4217). This is our own table: Intl returns
 * the decimals of daily life, which differ for 17 currencies.
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

/** Converts an integer of minor units from another party. Undefined for anything else. */
export function fromMinor(minor: unknown, currency: string): Micros | undefined {
  if (typeof minor !== 'number' || !Number.isSafeInteger(minor)) return undefined
  const micros = BigInt(minor) * minorUnitOf(currency)
  return micros > MICROS_MAX || micros < -MICROS_MAX ? undefined : micros
}

/** Converts to minor units, rounded down: the approved amount never exceeds the judged one. */
export function toMinor(micros: Micros, currency: string): number {
  return Number(micros / minorUnitOf(currency))
}

/** The smallest amount that the currency can pay. */
export function minorUnitOf(currency: string): Micros {
  const decimals = DECIMALS.get(currency) ?? 2
  return 10n ** BigInt(MICRO_DECIMALS - decimals)
}
