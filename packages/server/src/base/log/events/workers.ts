import { defineEvents } from '../define-events.ts'

/** Workers that follow the decisions: approvals, audit log, analytics, sign-ins. */
export const WORKER_EVENTS = defineEvents({
  'approvals.scan_failed': {
    level: 'error',
    message: 'Could not list expired approval requests; retrying in 1 s.',
    meaning: 'The requests count as expired already; only their events are late.',
    action: 'Check the database if it repeats.',
  },
  'approvals.expire_failed': {
    level: 'warn',
    message: 'Could not store that approval requests expired; retrying in 1 s.',
    meaning: 'The events of this organization are late. Most often its rows are locked.',
    action: 'Look for long transactions in the database if it repeats.',
  },
  'audit.scan_failed': {
    level: 'error',
    message: 'Could not list organizations with unsealed events; retrying in 1 s.',
    meaning: 'Decisions continue; the audit logs are behind until a round succeeds.',
    action: 'Check the database if it repeats.',
  },
  'audit.seal_failed': {
    level: 'error',
    message: 'Could not seal the audit log of an organization; retrying in 1 s.',
    meaning: 'Decisions continue; this audit log is behind. Other organizations are not affected.',
    action: 'Check the database if it repeats, then report the line.',
  },
  'audit.sealing_stopped': {
    level: 'error',
    message:
      'The audit log of an organization is no longer sealed: the next number of its feed is not above that of the last leaf. See "A log that has stopped" in docs/guide-audit.md.',
    meaning:
      'A number in the database was lowered, for example because some tables were restored from an old backup. Decisions continue but are not in the audit log. The line repeats in every round.',
    action: 'Follow the section of the guide.',
  },
  'analytics.scan_failed': {
    level: 'error',
    message: 'Could not list organizations with new events; retrying in 1 s.',
    meaning: 'Decisions continue; the totals of analytics are behind until a round succeeds.',
    action: 'Check the database if it repeats.',
  },
  'analytics.update_failed': {
    level: 'error',
    message: 'Could not update the spend totals of an organization; retrying in the next round.',
    meaning: 'The totals of this organization are behind. Other organizations are not affected.',
    action: 'Check the database if it repeats, then report the line.',
  },
  'people.record_failed': {
    level: 'error',
    message: 'Could not store sign-ins in the change record; retrying in 1 s.',
    meaning: 'Sign-in works; the change record and its events are late.',
    action: 'Check the database if it repeats.',
  },
  'people.record_delayed': {
    level: 'warn',
    message: 'Could not store the sign-ins of an organization; retrying in 1 s.',
    meaning: 'Most often its feed is locked. Other organizations are not affected.',
    action: 'Look for long transactions in the database if it repeats.',
  },
  'people.record_lost': {
    level: 'error',
    message:
      'The process stops before it could store the failed sign-ins of the last second; dropping them.',
    meaning: 'These attempts are missing from the change record.',
    action: 'Check the database before the next start.',
  },
  'people.unknown_accounts': {
    level: 'info',
    message: 'Sign-in was tried for accounts or links that do not exist.',
    meaning:
      'A summary every 15 minutes: the number of `attempts`, and of the `addresses` that they came from. They belong to no organization, so no change record has them.',
    action: 'Nothing, unless the numbers are large: then someone may be guessing e-mail addresses.',
  },
  'audit.heads_not_kept': {
    level: 'warn',
    message: 'Could not write the heads of the audit logs to {path}; retrying in 5 s.',
    meaning: 'A store that is put back to a time after the last written heads is not noticed.',
    action: 'Check PURSER_HEADS_FILE and its folder.',
  },
})
