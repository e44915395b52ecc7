const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** "mon tue wed thu fri 07:00-19:00" as "Mon–Fri 07:00–19:00". Other texts stay as they are. */
export function showSchedule(text: string): string {
  return text
    .split(', ')
    .map((window) =>
      window.replace(/^((?:[a-z]{3} )*)(\d\d:\d\d)-(\d\d:\d\d)/, (_, days, from, to) => {
        const hours = from === '00:00' && to === '24:00' ? 'all day' : `${from}–${to}`
        return days === '' ? hours : `${showDays(String(days).trim().split(' '))} ${hours}`
      }),
    )
    .join(', ')
}

/** "wed 00:11" as "Wed 00:11". */
export function showScheduleTime(text: string): string {
  return text.replace(/^[a-z]/, (letter) => letter.toUpperCase())
}

/** Three or more days in a row become a range. */
export function showDays(days: readonly string[]): string {
  const indexes = days.map((day) => DAYS.indexOf(day)).toSorted((a, b) => a - b)
  if (indexes.includes(-1)) return days.join(' ')
  const runs: number[][] = []
  for (const index of indexes) {
    const last = runs.at(-1)
    if (last?.at(-1) === index - 1) last.push(index)
    else runs.push([index])
  }
  return runs.map(showRun).join(', ')
}

function showRun(run: readonly number[]): string {
  const names = run.map((index) => NAMES[index] ?? '')
  return run.length > 2 ? `${names.at(0)}–${names.at(-1)}` : names.join(', ')
}
