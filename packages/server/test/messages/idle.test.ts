import { afterEach, expect, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '../support/app.ts'
import { askFor } from '../support/approvals.ts'
import { bodyOf } from '../support/builders.ts'
import { usualEngine } from '../support/database.ts'
import { anAskingAgent, messagesOf } from '../support/messages.ts'
import { aMember } from '../support/people.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'
import { watchDatabase } from '../support/watched-database.ts'

/* Messages of a gateway without an SMTP server. */

let app: TestApp
let receiver: Receiver
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  vi.useRealTimers()
  await app?.stop()
  await receiver?.close()
})

/** Starts messages whose intervals and pauses follow `pass`, and counts their statements. */
function startCounted() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  let count = 0
  const db = watchDatabase(app.database.db, () => {
    count += 1
  })
  const messages = messagesOf({ ...app, database: { ...app.database, db } }, undefined)
  stops.push(messages.stop)
  return () => count
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    vi.advanceTimersByTime(1_000)
    // A round that this second has started sends its statement before this one.
    await app.rows('select 1')
  }
}

test('a gateway without mail and chats sends one query in ten seconds, and finds a chat that a different gateway stores', async () => {
  app = await createTestApp(usualEngine())
  receiver = await startReceiver()
  const acme = await app.organization()
  const ada = await aMember(app, acme)
  const countStatements = startCounted()
  await pass(60)
  expect(countStatements()).toBeGreaterThanOrEqual(5)
  // Both loops may look in the same second.
  expect(countStatements()).toBeLessThanOrEqual(14)
  bodyOf(await ada.patch('/console/api/messages/chat', { url: receiver.url }))
  // The gateway has not found the chat yet. Its message must not get lost.
  const { agentId, spender } = await anAskingAgent(app, acme)
  await askFor(spender, agentId, { amount: 20 })
  await waitUntil(async () => {
    await pass(1)
    return receiver.received.length === 1
  })
  expect(receiver.received[0]?.body).toContain('1 spend waits for approval')
})

test('messages to a chat that was removed end, although no organization has a chat', async () => {
  app = await createTestApp(usualEngine())
  const acme = await app.organization()
  await app.rows(
    `insert into messages (organization_id, id, channel, kind, recipient_id, items, item_count,
                           status, due_at, created_at)
     values ($1, gen_random_uuid(), 'chat', 'approvals', $1, '{}', 1, 'waiting', now(), now())`,
    [acme.organizationId],
  )
  const messages = messagesOf(app, undefined)
  stops.push(messages.stop)
  const statuses = () => app.rows<{ status: string }>('select status from messages')
  await waitUntil(async () => {
    await messages.round()
    return (await statuses())[0]?.status === 'dropped'
  })
})
