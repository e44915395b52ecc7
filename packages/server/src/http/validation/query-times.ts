import { Type } from 'typebox'
import { refusedParameter } from '../../base/errors.ts'
import { isDate, startOfDate } from '../../core/analytics/range.ts'
import type { Instant } from '../../core/time/instant.ts'

/** The format of every `from` and `to` in a query that means a time. */
export const DATE_OR_TIME = 'date-or-date-time'

export const DateOrTime = Type.String({ format: DATE_OR_TIME })

const BOTH_FORMS =
  "A date (`2026-11-01`) means its start in the organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`)."

/** Returns the two parameters, worded for the list's event: created, raised. */
export function timesOf(subject: string) {
  return {
    from: Type.Optional({
      ...DateOrTime,
      description: `Only ${subject} at or after this time. ${BOTH_FORMS}`,
      examples: ['2026-11-01'],
    }),
    to: Type.Optional({
      ...DateOrTime,
      description: `Only ${subject} before this time. ${BOTH_FORMS}`,
      examples: ['2026-12-01'],
    }),
  }
}

export interface Times {
  readonly from: Instant | undefined
  readonly to: Instant | undefined
}

/**
 * Reads the requested time range of a list. An end before the beginning is a mistake, not an empty
 * list. The request knows the time zone from its key or session, so reading it costs nothing.
 */
export function readTimes(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  timezone: string,
): Times {
  const from = toInstant(query.from, timezone)
  const to = toInstant(query.to, timezone)
  if (from !== undefined && to !== undefined && to < from) {
    throw refusedParameter('to', 'must not be before from')
  }
  return { from, to }
}

/**
 * The database accepts only these years, and in a time zone the first and last day may begin
 * outside them.
 */
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z')
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

function toInstant(text: string | undefined, timezone: string): Instant | undefined {
  if (text === undefined) return undefined
  if (!isDate(text)) return Date.parse(text)
  return Math.min(Math.max(startOfDate(text, timezone), FIRST_INSTANT), LAST_INSTANT)
}
