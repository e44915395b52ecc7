import type { Instant } from '../core/time/instant.ts'

/** The smallest id of an instant. */
export function idAt(instant: Instant): string {
  const hex = Math.max(0, instant).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The instant that an id carries. */
export function timeOf(id: string): Instant {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
