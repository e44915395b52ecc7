const LOCAL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/

/** An instant as a field for date and time shows it in a zone: "2026-11-17T10:40". */
export function toLocalText(at: Date, timeZone: string): string {
  if (Number.isNaN(at.getTime())) return ''
  return at.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T').slice(0, 16)
}

/**
 * The instant of a date and time in a zone. When clocks go back, the earlier of the two instants;
 * when they go forward, a time that does not exist becomes the one an hour later.
 */
export function fromLocalText(text: string, timeZone: string): Date | undefined {
  if (!LOCAL.test(text)) return undefined
  const asUtc = Date.parse(`${text.slice(0, 16)}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const before = offsetOf(asUtc - DAY_MS, timeZone)
  const after = offsetOf(asUtc + DAY_MS, timeZone)
  const first = asUtc - Math.max(before, after)
  const second = asUtc - Math.min(before, after)
  // Only a candidate that reads as the text is the instant. In the gap of spring none does.
  const isExact = (ms: number) => toLocalText(new Date(ms), timeZone) === text.slice(0, 16)
  return new Date(isExact(first) ? first : isExact(second) ? second : asUtc - before)
}

const DAY_MS = 86_400_000

function offsetOf(ms: number, timeZone: string): number {
  const local = new Date(ms).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')
  return Date.parse(`${local}Z`) - Math.floor(ms / 1_000) * 1_000
}
