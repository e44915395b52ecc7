/** The time zones that this browser knows. */
export const TIMEZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}))

const FIRST = ['USD', 'EUR', 'GBP', 'USDC', 'EURC']

/** The currencies that this browser knows, the common ones first. */
export const CURRENCIES = [...new Set([...FIRST, ...Intl.supportedValuesOf('currency')])].map(
  (value) => ({ value, label: value }),
)
