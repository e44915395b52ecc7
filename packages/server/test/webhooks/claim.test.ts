import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDue } from '../../src/webhooks/claim.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { sealer } from '../support/tenant.ts'
import { LATER, LEASE_MS, queueForLater, takeUp } from '../support/webhook-queue.ts'
import { aSubscriber } from '../support/webhooks.ts'

/* One claim, while a process that died has left attempts whose leases have expired. */

let app: TestApp
let receiver: Receiver
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  receiver = await startReceiver()
  acme = await aSubscriber(app, receiver)
})
afterAll(async () => {
  await app.stop()
  await receiver.close()
})

const AFTER_THE_LEASES = LATER + LEASE_MS + 1_000

const queueMany = (count: number) =>
  Promise.all(Array.from({ length: count }, () => queueForLater(app, acme)))

/** Returns the events of the attempts that a process with this much room starts. */
const claim = (room: number, isLost: (attemptId: string) => boolean) =>
  app.database.db.transaction(async (tx) => {
    const share = { organizationId: acme.organizationId, endpointId: null, room }
    const claimed = await claimDue(tx, { sealer, retries: 4, isLost }, share, AFTER_THE_LEASES)
    return claimed.attempts.map(({ entry }) => entry.eventId)
  })

test('events behind attempts that may still end are delivered, as many as there is room for', async () => {
  await queueMany(4)
  const [, second] = await takeUp(app, acme)
  const later = await queueMany(3)
  // They become due after the leases have expired.
  await app.database.db.query({
    text: `update webhook_queue set due_at = due_at + interval '15.5 seconds'
           where organization_id = $1 and event_id = any($2::uuid[])`,
    values: [acme.organizationId, later],
  })
  const first = await claim(2, () => false)
  expect(first).toHaveLength(2)
  expect(later).toEqual(expect.arrayContaining(first))
  const next = await claim(2, (attemptId) => attemptId === second?.attemptId)
  expect(next).toHaveLength(2)
  expect(later.filter((id) => !first.includes(id) && next.includes(id))).toHaveLength(1)
})
