import { defineEvents } from '../../base/log/define-events.ts'

/** The log events of card authorizations. */
export const CARD_LOG_EVENTS = defineEvents({
  'card.judgement_failed': {
    level: 'error',
    message: 'A card request failed because of a defect; declined it.',
    meaning: 'The issuer got a decline with the code `internal_error`.',
    action: 'Report the line.',
  },
  'card.decline_not_stored': {
    level: 'warn',
    message: 'Could not store a decline that was sent at the deadline; it is not recorded.',
    meaning:
      'The issuer got the decline. If it repeats the request, the gateway decides on it again.',
    action: 'Check the database if it repeats.',
  },
  'card.unjudged_pending': {
    level: 'warn',
    message:
      'Could not book a card payment that was approved without a decision; retrying every second.',
    meaning:
      'The connection fails open (`failMode`), and the database was too slow for a decision. The budget does not count the payment yet.',
    action: 'Check the database if it repeats.',
  },
  'card.unjudged_abandoned': {
    level: 'error',
    message: 'Could not book a card payment that was approved without a decision; giving up.',
    meaning:
      'The database refused it for good, or too many such payments wait. The payment is booked when the issuer reports it.',
    action: 'Check that the issuer sends its events, and report the line.',
  },
  'card.unjudged_round_failed': {
    level: 'error',
    message: 'Could not book card payments that were approved without a decision; retrying in 1 s.',
    meaning: 'The whole round failed.',
    action: 'Report the line if it repeats.',
  },
  'card.unjudged_at_stop': {
    level: 'error',
    message:
      'The process stops before it could book {payments} card payments approved without a decision; the events of the issuer book them later.',
    meaning: 'Until the issuer reports them, the budget does not count these payments.',
    action: 'Check the database before the next start, and that the issuer sends its events.',
  },
  'card.request_unreadable': {
    level: 'warn',
    message: 'An issuer sent an authorization request that cannot be read; declined it.',
    meaning: 'The purchase fails at the merchant; `why` says what is wrong with the request.',
    action: 'Report the line; the issuer may have changed its protocol.',
  },
  'card.event_unreadable': {
    level: 'warn',
    message: 'An issuer sent an event that cannot be read; acknowledged it.',
    meaning:
      'The event may be about money; `why` says what is wrong with it. The connection lists the last ones under `flagged`.',
    action: 'Compare it with the statement of the issuer, and report the line.',
  },
  'card.facts_truncated': {
    level: 'warn',
    message: 'A card authorization has more than {max} events; ignoring further ones.',
    meaning: 'Money that the ignored events report is not booked.',
    action: 'Compare the authorization with the statement of the issuer.',
  },
  'card.scan_failed': {
    level: 'warn',
    message: 'Could not list card authorizations to book; retrying in 1 s.',
    meaning: 'Until a round succeeds, budgets may have more reserved than needed, never less.',
    action: 'Check the database if it repeats.',
  },
  'card.claim_failed': {
    level: 'warn',
    message: 'Could not book card authorizations of an organization; retrying within 30 s.',
    meaning:
      'Most often its rows are locked, or the database is unreachable. Other organizations are not affected.',
    action: 'Check the database if it repeats.',
  },
  'card.booking_failed': {
    level: 'error',
    message: 'Could not book a card authorization; skipping it and retrying within 30 s.',
    meaning: 'Its budget is not up to date. Other authorizations are booked.',
    action: 'Report the line if it repeats: it is a defect.',
  },
  'card.health_not_stored': {
    level: 'warn',
    message: 'Could not store the health of connections to card issuers; retrying in 1 s.',
    meaning: 'The health figures are behind. No money depends on them.',
    action: 'Nothing, unless it repeats: then check the database.',
  },
})
