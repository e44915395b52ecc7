import { defineEvents } from '../define-events.ts'

/** Decisions, holds and the history of rules. */
export const GATEWAY_EVENTS = defineEvents({
  'decision.approved': {
    level: 'info',
    message: 'Approved.',
    meaning: 'A spend was approved. Written only with PURSER_LOG_DECISIONS=true, or at a terminal.',
    action: 'Nothing.',
  },
  'decision.rejected': {
    level: 'info',
    message: 'Rejected.',
    meaning:
      'A spend was rejected; `code` says why (docs/decisions.md). Written under the same conditions as `decision.approved`.',
    action: 'Nothing.',
  },
  'deadline.not_stored': {
    level: 'warn',
    message: 'A decline was sent at its deadline and is not stored yet; retrying every second.',
    meaning: 'The database was too slow to decide in time, so the caller got a decline.',
    action: 'Check the database if it repeats.',
  },
  'deadline.abandoned': {
    level: 'error',
    message: 'A decline was sent at its deadline and cannot be stored: too many others wait.',
    meaning:
      'The decline is not recorded. An approval that was stored too late may hold budget until it expires.',
    action: 'Check the database. Look up the transaction by `transactionId`.',
  },
  'deadline.store_failed': {
    level: 'error',
    message: 'A decline was sent at its deadline, and the database refused to store it; giving up.',
    meaning: 'The decline is not recorded. The database would refuse a retry as well.',
    action: 'Report the line: it is a defect.',
  },
  'deadline.round_failed': {
    level: 'error',
    message: 'Could not store declines that were sent at their deadline; retrying in 1 s.',
    meaning: 'The whole round failed.',
    action: 'Check the database if it repeats.',
  },
  'deadline.unstored_at_stop': {
    level: 'error',
    message:
      'The process stops before it could store {submissions} declines sent at a deadline; they stay unrecorded.',
    meaning:
      'An approval that was stored too late holds budget until it expires, or until the same request comes again.',
    action: 'Check the database before the next start.',
  },
  'holds.scan_failed': {
    level: 'error',
    message: 'Could not list expired holds; retrying in 1 s.',
    meaning: 'Their budget stays held until a round succeeds.',
    action: 'Check the database if it repeats.',
  },
  'holds.locked': {
    level: 'warn',
    message: 'Expired holds are locked by another transaction; retrying in 1 s.',
    meaning: 'Their budget stays held until the locks are free.',
    action: 'Look for long transactions in the database if it repeats.',
  },
  'holds.release_failed': {
    level: 'error',
    message: 'Could not release an expired hold; skipping it and retrying in 1 s.',
    meaning: 'The budget of the hold `id` stays held; other holds are released.',
    action: 'Report the line if it repeats: it is a defect.',
  },
  'rules.history_scan_failed': {
    level: 'error',
    message: 'Could not list new rules that still need their history; retrying in 1 s.',
    meaning: 'Until their history is counted, these rules reject the spends that they cover.',
    action: 'Check the database if it repeats.',
  },
  'rules.history_failed': {
    level: 'error',
    message: 'Could not count the history of a new rule; retrying in 1 s.',
    meaning: 'Until it is counted, the rule rejects the spends that it covers.',
    action: 'Check the database if it repeats, then report the line.',
  },
})
