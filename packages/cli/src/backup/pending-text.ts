type Pending = Awaited<ReturnType<typeof import('@purser/server')['findClosedStore']>>['pending']

const LINES: readonly (readonly [name: keyof Pending, text: string])[] = [
  ['deliveries', 'webhook deliveries in the queue, to send'],
  ['messages', 'messages to members and chats, to send'],
  ['redeliveries', 'running tasks that send failed deliveries again'],
  ['signedPayments', 'signed x402 payments, to follow on their chain'],
  ['unsignedPayments', 'approved x402 payments without a signature, to sign or release'],
  ['checkouts', 'unfinished ACP checkouts, to complete or cancel'],
  ['expiredHolds', 'expired holds, to release'],
  ['expiredApprovals', 'expired approval requests, to close'],
]

/** What `--hold-deliveries` keeps. A redelivery only fills the queue. */
const HELD: ReadonlySet<keyof Pending> = new Set(['deliveries', 'messages'])

/** Says what a store will send and complete once it opens. */
export function toPendingText(pending: Pending, holdsDeliveries: boolean): string {
  const lines = LINES.filter(([name]) => pending[name] > 0).map(([name, text]) => {
    const isHeld = holdsDeliveries && HELD.has(name)
    return `  ${pending[name]} ${text}${isHeld ? ' (held back)' : ''}\n`
  })
  if (lines.length === 0) return 'Nothing waits to be sent or completed.\n'
  return `Once it opens, the store goes on with:\n${lines.join('')}`
}
