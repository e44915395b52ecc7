/**
 * How long an organization keeps removable data, in days; null means forever. Transactions themselves
 * are never removed.
 */
export interface Retention {
  /** The details of a transaction's evaluation, and its metadata. */
  readonly detailsDays: number | null
  /** Events, their deliveries and all delivery attempts. */
  readonly eventsDays: number | null
}

/** The retention of a new organization. */
export const FIRST_RETENTION: Retention = { detailsDays: null, eventsDays: 400 }

/** A dispute about a payment can be opened for about this long. */
export const DETAILS_DAYS_MIN = 90
/** As long as a retry with the same Idempotency-Key finds its first answer. */
export const EVENTS_DAYS_MIN = 7
/** A hundred years: a larger number is a typing mistake. */
export const DAYS_MAX = 36_500
