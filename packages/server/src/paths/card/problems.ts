import { defineProblems } from '../../base/errors.ts'

/** The problems of cards and their issuers, in addition to those of every request. */
export const CARD_PROBLEMS = defineProblems({
  card_connection_not_found: { status: 404, title: 'Connection to an issuer not found' },
  card_not_found: { status: 404, title: 'Card not found' },
  card_exists: { status: 409, title: 'The connection already has this card' },
  card_closed_for_good: { status: 409, title: 'A closed card cannot be reopened' },
  card_limit_reached: { status: 409, title: 'Card limit reached' },
  card_connection_limit_reached: {
    status: 409,
    title: 'Connection limit reached',
  },
  card_connection_in_use: { status: 409, title: 'The connection is still in use' },
  card_connection_removed: { status: 409, title: 'A removed connection cannot be restored' },
  livemode_mismatch: { status: 422, title: 'Live and test mode cannot be mixed' },
})
