const MICRO = 1_000_000

/** Adds amounts of one currency. Amounts have six decimals, so whole millionths add up exactly. */
export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + Math.round(amount * MICRO), 0) / MICRO
}
