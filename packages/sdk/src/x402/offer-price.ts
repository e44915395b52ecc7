/** Other spellings of a number are refused: two parsers could read two amounts. */
const ATOMIC = /^(0|[1-9]\d{0,77})$/
const MICRO_DECIMALS = 6

/**
 * Returns the price in units of the currency, rounded up to a millionth. Returns undefined for zero,
 * and for text that is not a plain number.
 */
export function priceOf(atomic: unknown, decimals: number): number | undefined {
  if (typeof atomic !== 'string' || !ATOMIC.test(atomic)) return undefined
  const micros = toMicros(BigInt(atomic), decimals - MICRO_DECIMALS)
  const isExact = micros > 0n && micros <= BigInt(Number.MAX_SAFE_INTEGER)
  return isExact ? Number(micros) / 10 ** MICRO_DECIMALS : undefined
}

function toMicros(atomic: bigint, extraDecimals: number): bigint {
  if (extraDecimals <= 0) return atomic * 10n ** BigInt(-extraDecimals)
  const size = 10n ** BigInt(extraDecimals)
  return (atomic + size - 1n) / size
}
