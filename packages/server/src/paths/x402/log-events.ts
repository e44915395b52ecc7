import { defineEvents } from '../../base/log/define-events.ts'

/** The log events of x402 payments. */
export const X402_LOG_EVENTS = defineEvents({
  'x402.node_missing': {
    level: 'warn',
    message: 'No node is set for the network {network}; every payment on it counts as spent.',
    meaning: 'Without a node the gateway cannot check the outcome of a payment.',
    action: 'Set a node for the network (docs/guide-x402.md).',
  },
  'x402.node_unreachable': {
    level: 'warn',
    message: 'The node of the network {network} does not answer; rejecting payments on it.',
    meaning: 'Checked once at the start. Payments work as soon as the node answers.',
    action: 'Check the URL of the node and the network.',
  },
  'x402.vendor_anomaly': {
    level: 'warn',
    message: 'A vendor did something that contradicts its x402 payment; recorded on the payment.',
    meaning: '`kind` and `detail` say what, for example a receipt that the chain does not confirm.',
    action: 'Look at the transaction. Block the vendor if it is not trustworthy.',
  },
  'x402.clocks_differ': {
    level: 'warn',
    message:
      'The clock of the network {network} and the clock of the database differ by over a minute; signing payments by the earlier one.',
    meaning:
      'The validity of a payment begins by the earlier clock; the gateway refuses a payment that has too little time left by the later one. Reported once per network and process.',
    action: 'Correct the clock of the database, or check whether the chain has stopped.',
  },
  'x402.scan_failed': {
    level: 'warn',
    message: 'Could not list pending x402 payments; retrying in 1 s.',
    meaning: 'Their budget stays held until a round succeeds.',
    action: 'Check the database if it repeats.',
  },
  'x402.claim_failed': {
    level: 'warn',
    message: 'Could not lease the pending x402 payments of an organization; retrying in 1 s.',
    meaning: 'Their budget stays held. Other organizations are not affected.',
    action: 'Check the database if it repeats.',
  },
  'x402.chain_unreachable': {
    level: 'warn',
    message: 'Could not look up x402 payments on the chain; retrying with backoff.',
    meaning: '`payments` counts the payments that could not be checked; their budget stays held.',
    action: 'Check the node of `network` if it repeats.',
  },
  'x402.hold_overdue': {
    level: 'warn',
    message: 'An x402 payment is past its validity and still held; checking again within 15 s.',
    meaning:
      'The chain has not yet shown a final block that proves its outcome. Repeats about every ten minutes.',
    action: 'Check the node of `network`, and whether the chain has stopped.',
  },
  'x402.assumed_spent': {
    level: 'warn',
    message: 'An x402 payment counts as spent without proof from the chain; not checking it again.',
    meaning:
      'No node is set for `network`, or the chain shows the authorization as used and the gateway cannot find the transfer. The gateway assumes the worse outcome.',
    action:
      'Set a node if there is none. If the money did not move, correct the transaction by hand.',
  },
  'x402.booking_failed': {
    level: 'warn',
    message: 'Could not book the outcome of an x402 payment; retrying within 30 s.',
    meaning: 'Its budget stays held. Other payments are booked.',
    action: 'Check the database if it repeats, then report the line.',
  },
  'x402.postpone_failed': {
    level: 'warn',
    message: 'Could not schedule the next check of x402 payments; checking again in 30 s.',
    meaning: 'They are checked again when their lease ends.',
    action: 'Check the database if it repeats.',
  },
  'x402.call_release_failed': {
    level: 'warn',
    message: 'Could not release the lease of a call to a vendor; it ends by itself.',
    meaning: 'Until then a retry of the same request gets 409 `idempotency_in_flight`.',
    action: 'Check the database if it repeats.',
  },
  'x402.delivery_not_stored': {
    level: 'warn',
    message: 'Could not store the delivery of a vendor; a retry of the request will not get it.',
    meaning: 'The agent that is connected now gets the delivery.',
    action: 'Check the database if it repeats.',
  },
  'x402.answer_not_stored': {
    level: 'warn',
    message: 'Could not store the answer of a vendor; the payment continues without it.',
    meaning: 'Its receipt cannot be compared with the chain.',
    action: 'Check the database if it repeats.',
  },
  'x402.lookup_failed': {
    level: 'warn',
    message: 'Could not look up an x402 payment after its call; the reconciler retries.',
    meaning: 'The answer shows the payment as pending.',
    action: 'Check the node and the database if it repeats.',
  },
})
