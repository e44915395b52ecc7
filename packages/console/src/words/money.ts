/** The fewest decimals of a currency: its minor unit. More are shown only if the amount has them. */
const DECIMALS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV']
      .concat(['XAF', 'XOF', 'XPF'])
      .map((code) => [code, 0]),
  ),
  ...Object.fromEntries(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code) => [code, 3])),
}

const MOST = 6
const MICRO = 1_000_000

/** An amount as people write it: "1,480.00", "0.005". Amounts have at most six decimals. */
export function formatAmount(value: number, currency: string | null): string {
  return formatterOf(DECIMALS[currency ?? ''] ?? 2).format(value)
}

/** Making a formatter costs more than a row of a list, so each is made once. */
const formatters = new Map<number, Intl.NumberFormat>()

function formatterOf(least: number): Intl.NumberFormat {
  const known = formatters.get(least)
  if (known) return known
  const options = { minimumFractionDigits: least, maximumFractionDigits: MOST }
  const made = new Intl.NumberFormat('en-US', options)
  formatters.set(least, made)
  return made
}

/** An amount with its currency: "1,480.00 USD". */
export function formatMoney(value: number, currency: string | null): string {
  const amount = formatAmount(value, currency)
  return currency === null ? amount : `${amount} ${currency}`
}

/** Adds amounts of one currency. Amounts have six decimals, so whole millionths add up exactly. */
export function sumMoney(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + Math.round(amount * MICRO), 0) / MICRO
}

const COUNTS = new Intl.NumberFormat('en-US')

/** A number of things: "1,338". */
export function formatCount(value: number): string {
  return COUNTS.format(value)
}

/** "12 %", with one decimal below 10. */
export function formatPercent(ratio: number): string {
  const percent = ratio * 100
  const decimals = Math.abs(percent) < 10 && !Number.isInteger(percent) ? 1 : 0
  return `${percent.toFixed(decimals)} %`
}

/** The amounts in the gateway's sentence, as the console writes them: "297 USD" is "297.00 USD". */
export function tidySentence(sentence: string, currency: string | null): string {
  if (currency === null) return sentence
  return sentence.replaceAll(
    new RegExp(`(?<![\\w.,])(\\d+(?:\\.\\d+)?) ${currency}\\b`, 'g'),
    (_, amount: string) => formatMoney(Number(amount), currency),
  )
}
