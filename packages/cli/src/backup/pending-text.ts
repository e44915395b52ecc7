import { countOf } from '../output/count-of.ts'

type Pending = Awaited<ReturnType<typeof import('@purser/server')['findClosedStore']>>['pending']

/** What waits, in the singular and the plural. */
const LINES: readonly (readonly [name: keyof Pending, one: string, several: string])[] = [
  [
    'deliveries',
    'webhook delivery in the queue, to send',
    'webhook deliveries in the queue, to send',
  ],
  ['messages', 'message to a member or chat, to send', 'messages to members and chats, to send'],
  [
    'redeliveries',
    'running task that sends failed deliveries again',
    'running tasks that send failed deliveries again',
  ],
  [
    'signedPayments',
    'signed x402 payment, to follow on its chain',
    'signed x402 payments, to follow on their chain',
  ],
  [
    'unsignedPayments',
    'approved x402 payment without a signature, to sign or release',
    'approved x402 payments without a signature, to sign or release',
  ],
  [
    'checkouts',
    'unfinished ACP checkout, to complete or cancel',
    'unfinished ACP checkouts, to complete or cancel',
  ],
  ['expiredHolds', 'expired hold, to release', 'expired holds, to release'],
  ['expiredApprovals', 'expired approval request, to close', 'expired approval requests, to close'],
]

/** What `--hold-deliveries` keeps. A redelivery only fills the queue. */
const HELD: ReadonlySet<keyof Pending> = new Set(['deliveries', 'messages'])

/** Says what a store will send and complete once it opens. */
export function toPendingText(pending: Pending, holdsDeliveries: boolean): string {
  const lines = LINES.filter(([name]) => pending[name] > 0).map(([name, one, several]) => {
    const isHeld = holdsDeliveries && HELD.has(name)
    return `  ${countOf(pending[name], one, several)}${isHeld ? ' (held back)' : ''}\n`
  })
  if (lines.length === 0) return 'Nothing waits to be sent or completed.\n'
  return `Once it opens, the store goes on with:\n${lines.join('')}`
}
