import { defineEvents } from '../../base/log/define-events.ts'

/** The log events of ACP checkouts. */
export const ACP_LOG_EVENTS = defineEvents({
  'acp.checkout_left': {
    level: 'warn',
    message: 'An ACP checkout could not be finished in its request; the reconciler continues.',
    meaning: 'The caller got the checkout in its current state, and its hold stays open.',
    action: 'Nothing, unless it repeats: then check the merchant and the database.',
  },
  'acp.purchase_failed_late': {
    level: 'warn',
    message: 'An ACP purchase failed after its caller was answered; the reconciler continues.',
    meaning: 'The caller did not wait for the end of the purchase.',
    action: 'Nothing, unless it repeats: then check the merchant and the database.',
  },
  'acp.refunds_truncated': {
    level: 'warn',
    message: 'An ACP order has more than {max} adjustments; ignoring further ones.',
    meaning: 'Refunds of the ignored adjustments are not booked.',
    action: 'Compare the order with the merchant.',
  },
  'acp.scan_failed': {
    level: 'warn',
    message: 'Could not list open ACP checkouts; retrying in 1 s.',
    meaning: 'Until a round succeeds, budgets may have more reserved than needed, never less.',
    action: 'Check the database if it repeats.',
  },
  'acp.claim_failed': {
    level: 'warn',
    message: 'Could not lease the open ACP checkouts of an organization; retrying in 1 s.',
    meaning: 'Their budget stays held. Other organizations are not affected.',
    action: 'Check the database if it repeats.',
  },
  'acp.checkout_failed': {
    level: 'warn',
    message: 'Could not continue an ACP checkout; retrying when its lease ends.',
    meaning: 'Its budget stays held. Other checkouts continue.',
    action: 'Check the merchant, the token provider and the database if it repeats.',
  },
  'acp.hold_overdue': {
    level: 'warn',
    message: 'An ACP checkout is still held although its token expired; still checking.',
    meaning: 'Neither the merchant nor the token provider reports its outcome.',
    action: 'Ask the merchant, then end the hold by hand (docs/guide-acp.md).',
  },
})
