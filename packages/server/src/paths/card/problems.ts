import { defineProblems } from '../../base/errors.ts'

/** What can stand in the way of cards and their issuers, besides the problems of any request. */
export const CARD_PROBLEMS = defineProblems({
  card_connection_not_found: { status: 404, title: 'There is no such connection to an issuer' },
  card_not_found: { status: 404, title: 'There is no such card' },
  card_exists: { status: 409, title: 'The connection has this card already' },
  card_closed_for_good: { status: 409, title: 'A closed card stays closed' },
  card_limit_reached: { status: 409, title: 'The organization has as many cards as it can have' },
  card_connection_limit_reached: {
    status: 409,
    title: 'The organization has as many connections as it can have',
  },
  card_connection_in_use: { status: 409, title: 'The connection is still in use' },
  card_connection_removed: { status: 409, title: 'A removed connection stays removed' },
  livemode_mismatch: { status: 422, title: 'The connection does not fit this installation' },
})
