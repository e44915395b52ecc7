import { expect, test } from 'vitest'
import { toPendingText } from '../../src/backup/pending-text.ts'

const PENDING = {
  ...{ deliveries: 3, messages: 2, redeliveries: 0, signedPayments: 1, unsignedPayments: 0 },
  ...{ checkouts: 0, expiredHolds: 0, expiredApprovals: 0 },
}

test('the plan of --finish says which sends --hold-deliveries keeps: deliveries and messages', () => {
  expect(toPendingText(PENDING, true)).toBe(`Once it opens, the store goes on with:
  3 webhook deliveries in the queue, to send (held back)
  2 messages to members and chats, to send (held back)
  1 signed x402 payment, to follow on its chain
`)
  expect(toPendingText(PENDING, false)).not.toContain('held back')
})
