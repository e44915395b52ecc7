const HOUR_MS = 3_600_000

/** The ranges that the log offers. The address holds the short form: `from=24h`. */
export const RANGES = [
  { value: '1h', label: '1 hour', hours: 1 },
  { value: '24h', label: '24 hours', hours: 24 },
  { value: '7d', label: '7 days', hours: 168 },
  { value: '30d', label: '30 days', hours: 720 },
] as const

/** The instant that a `from` of the address means. Rounded down, so that it stays for a while. */
export function fromOf(text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined
  const range = RANGES.find(({ value }) => value === text)
  if (!range) return isTime(text) ? text : undefined
  const step = range.hours > 24 ? HOUR_MS : HOUR_MS / 12
  return new Date(Math.floor((now - range.hours * HOUR_MS) / step) * step).toISOString()
}

export function rangeLabel(text: string): string {
  return RANGES.find(({ value }) => value === text)?.label ?? `since ${text}`
}

function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))
}
