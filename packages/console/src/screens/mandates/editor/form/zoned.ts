/** An instant as the value of a date and time field in a time zone: "2027-03-31T00:00". */
export function toLocalText(iso: string | null, timeZone: string): string {
  if (iso === null) return ''
  return localText(new Date(iso).getTime(), timeZone)
}

/** The instant of a local date and time. Null if the text is no time. */
export function fromLocalText(text: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${text}:00.000Z`)
  if (Number.isNaN(asUtc)) return null
  // The offset at the guess can differ from that at the result, across a change of the clocks.
  const guess = asUtc - offsetAt(asUtc, timeZone)
  const at = asUtc - offsetAt(guess, timeZone)
  return new Date(at).toISOString()
}

function offsetAt(at: number, timeZone: string): number {
  return Date.parse(`${localText(at, timeZone)}:00.000Z`) - Math.floor(at / 60_000) * 60_000
}

function localText(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '00'
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}
