const CALENDAR: Readonly<Record<string, { readonly limit: string; readonly per: string }>> = {
  hour: { limit: 'Hourly limit', per: 'an hour' },
  day: { limit: 'Daily limit', per: 'a day' },
  week: { limit: 'Weekly limit', per: 'a week' },
  month: { limit: 'Monthly limit', per: 'a month' },
  period: { limit: 'Limit of the period', per: 'a budget period' },
}

const UNITS: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day' }

/** The name of a limit by its window: "Daily limit", "7-day limit". */
export function limitName(window: string | null): string {
  if (window === null) return 'Limit over time'
  const rolling = readRolling(window)
  if (rolling) return `${rolling.count}-${rolling.unit} limit`
  return CALENDAR[window]?.limit ?? 'Limit over time'
}

/** The window as the end of a sentence: "a day", "within 7 days". */
export function perWindow(window: string): string {
  const rolling = readRolling(window)
  return rolling ? `within ${durationWords(window)}` : (CALENDAR[window]?.per ?? window)
}

/** "30m" as "30 minutes". */
export function durationWords(duration: string): string {
  const rolling = readRolling(duration)
  if (!rolling) return duration
  return `${rolling.count} ${rolling.unit}${rolling.count === 1 ? '' : 's'}`
}

function readRolling(text: string): { readonly count: number; readonly unit: string } | undefined {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? []
  if (count === undefined || unit === undefined) return undefined
  return { count: Number(count), unit: UNITS[unit] ?? unit }
}
