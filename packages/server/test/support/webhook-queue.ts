import { newId } from '../../src/storage/new-id.ts'
import { storeEvents } from '../../src/storage/webhooks/events.ts'
import { lockDueEntries, startAttempts } from '../../src/storage/webhooks/queue.ts'
import { queueEvents } from '../../src/storage/webhooks/queue-events.ts'
import type { Owner, TestApp } from './app.ts'

/** Later than every clock, so the dispatcher of an app does not touch entries that are due then. */
export const LATER = Date.parse('2099-01-01T00:00Z')

export const LEASE_MS = 15_000

/** An attempt that a process has started. */
export interface Taken {
  readonly entryId: string
  readonly attemptId: string
}

/** Queues an event for later and returns its id. */
export async function queueForLater(app: TestApp, { organizationId }: Owner): Promise<string> {
  const nobody = { transactionId: null, agentId: null, mandateId: null }
  const figures = { budgetTotal: null, budgetSpent: null, outcome: null, sample: '{}' }
  const event = {
    ...nobody,
    ...figures,
    id: newId(Date.now()),
    kind: 'transaction.approved',
  } as const
  await app.database.db.transaction(async (tx) => {
    tx.send(storeEvents(organizationId, LATER, [event]))
    tx.send(queueEvents(organizationId, LATER, [event]))
  })
  return event.id
}

/** Starts an attempt for everything that is due by then, as a process would, but never ends it. */
export function takeUp(app: TestApp, { organizationId }: Owner, at = LATER): Promise<Taken[]> {
  const lane = { organizationId, endpointId: null }
  return app.database.db.transaction(async (tx) => {
    const entries = await lockDueEntries(tx, lane, at, 10)
    const attempts = entries.map((entry) => ({
      id: newId(Date.now()),
      entry,
      kind: 'transaction.approved',
      body: '{}',
      occurredAt: LATER,
      requestHeaders: {},
    }))
    const to = { receiver: 'http://127.0.0.1/…', urlId: null }
    const statements = startAttempts(lane, to, at, at + LEASE_MS, attempts)
    for (const statement of statements) tx.send(statement)
    return attempts.map(({ id, entry }) => ({ entryId: entry.id, attemptId: id }))
  })
}
