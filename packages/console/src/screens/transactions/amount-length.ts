interface Spend {
  readonly amount: number
}

/**
 * The characters of the longest amount, as the list writes it. Ten thousand rows are looked at again
 * with each new page, so this counts instead of formatting.
 */
export function longestAmount(rows: readonly Spend[]): number {
  let longest = 0
  for (const { amount } of rows) longest = Math.max(longest, lengthOf(amount))
  return longest
}

function lengthOf(amount: number): number {
  const text = String(amount)
  const point = text.indexOf('.')
  const whole = point < 0 ? text.length : point
  const decimals = point < 0 ? 0 : text.length - point - 1
  return whole + Math.floor((whole - 1) / 3) + 1 + Math.max(2, decimals)
}
