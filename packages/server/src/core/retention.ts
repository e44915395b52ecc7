/**
 * How long an organization keeps what it may let go of, in days; null means for ever. Transactions
 * themselves are never removed.
 */
export interface Retention {
  /** The details of a transaction's evaluation, and its metadata. */
  readonly detailsDays: number | null
  /** Events, their deliveries and every attempt of those. */
  readonly eventsDays: number | null
}

/** What a new organization begins with. */
export const FIRST_RETENTION: Retention = { detailsDays: null, eventsDays: 400 }

/** A dispute about a payment can be opened for about this long. */
export const DETAILS_DAYS_MIN = 90
/** As long as a repeat with the same Idempotency-Key finds its first answer. */
export const EVENTS_DAYS_MIN = 7
/** A hundred years: more would be a mistake in writing. */
export const DAYS_MAX = 36_500
