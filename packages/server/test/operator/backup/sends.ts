import assert from 'node:assert/strict'
import type { Owner, TestApp } from '../../support/app.ts'
import { askFor } from '../../support/approvals.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { anAskingAgent, messagesOf, NO_SMTP } from '../../support/messages.ts'
import { aMember } from '../../support/people.ts'
import { evaluate } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { changeEndpoints, endpointsOf } from '../../webhooks/endpoint-stage.ts'

/** No process listens there. */
const NOWHERE = 'http://127.0.0.1:9'

/**
 * Gives the organization everything that waits to leave a store: three webhook endpoints with queue
 * entries, one of them paused, and mails and a chat whose messages wait.
 */
export async function addSends(app: TestApp, owner: Owner): Promise<void> {
  await addEndpoints(app, owner)
  await addMessages(app, owner)
}

async function addEndpoints(app: TestApp, owner: Owner): Promise<void> {
  const [first] = await endpointsOf(owner)
  assert(first)
  await changeEndpoints(owner, [
    { id: first.id },
    { url: `${NOWHERE}/second`, events: ['transaction.approved'], status: 'paused' },
    { url: `${NOWHERE}/third`, events: ['transaction.approved', 'transaction.rejected'] },
  ])
  const { agentId } = await anActiveMandate(owner)
  await evaluate(owner, agentId)
  // The paused endpoint has its entry, and the others have had their attempt and wait for the next.
  const entries = () =>
    app.rows<{ attempted: boolean; paused: boolean }>(
      `select q.failures > 0 as attempted, coalesce(e.is_paused, false) as paused
       from webhook_queue q
       left join webhook_endpoints e on e.organization_id = q.organization_id and e.id = q.endpoint_id
       where q.organization_id = $1 and q.endpoint_id is not null`,
      [owner.organizationId],
    )
  await waitUntil(async () => {
    const found = await entries()
    const isSettled = found.every(({ attempted, paused }) => attempted !== paused)
    return found.length >= 3 && isSettled && found.some(({ paused }) => paused)
  })
}

async function addMessages(app: TestApp, owner: Owner): Promise<void> {
  const ada = await aMember(app, owner)
  const approver = await aMember(app, owner, { role: 'approver' })
  bodyOf(await ada.patch('/console/api/messages', { kinds: ['approvals'] }))
  bodyOf(await ada.patch('/console/api/messages/chat', { url: `${NOWHERE}/chat?key=secret` }))
  bodyOf(await approver.patch('/console/api/messages', { kinds: [] }))
  bodyOf(await ada.post('/console/api/invitations', { email: 'bob@example.com', role: 'viewer' }))
  const { agentId, spender } = await anAskingAgent(app, owner)
  const messages = messagesOf(app, NO_SMTP)
  await messages.round()
  await askFor(spender, agentId, { amount: 20 })
  const waiting = () =>
    app.rows<{ kind: string; channel: string }>(
      'select 1 from messages where failures = 1 and lease_id is null',
    )
  await waitUntil(async () => {
    await messages.round()
    return (await waiting()).length === 3
  })
  await messages.stop()
}
