import { expect, test } from 'vitest'
import { idAt } from '../../src/core/id.ts'
import { removeOldMessages } from '../../src/storage/messages/outbox.ts'
import { askFor } from '../support/approvals.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { anAskingAgent, messagesOf, NO_SMTP } from '../support/messages.ts'
import { aMember } from '../support/people.ts'
import { startReceiver } from '../support/receiver.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Flow } from './stage.ts'

const MESSAGES = '/console/api/messages'

/** Messages to people: chats arrive, and mails wait for an SMTP server that does not run. */
export const messagesFlow: Flow = (stage) => {
  test('news reaches the chat of an organization, and waits for the mail server', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const ada = await aMember(app, acme)
    const receiver = await startReceiver()
    bodyOf(await ada.patch(MESSAGES, { kinds: ['approvals', 'budget'] }))
    bodyOf(await ada.patch(MESSAGES, { kinds: null }))
    bodyOf(await ada.patch(`${MESSAGES}/chat`, { url: receiver.url }))
    bodyOf(await ada.patch(`${MESSAGES}/chat`, { kinds: ['approvals', 'budget', 'endpoints'] }))
    const messages = messagesOf({ ...app, database: { ...app.database, db } }, NO_SMTP)
    try {
      await messages.round()
      bodyOf(
        await ada.post('/console/api/invitations', { email: 'b@flow.example', role: 'viewer' }),
      )
      const { agentId, spender } = await anAskingAgent(app, acme)
      await askFor(spender, agentId, { amount: 20 })
      const small = await anActiveMandate(acme, { budgetTotal: 10 })
      await evaluate(acme, small.agentId, { amount: 9 })
      await app.rows(
        `insert into webhook_deliveries (organization_id, id, kind, status, attempts, created_at)
         values ($1, $2, 'transaction.approved', 'failed', 5, now())`,
        [acme.organizationId, idAt(Date.now() + 1_000)],
      )
      const postponed = () =>
        app.rows('select 1 from messages where organization_id = $1 and failures > 0', [
          acme.organizationId,
        ])
      await waitUntil(async () => {
        await messages.round()
        return receiver.received.length >= 2 && (await postponed()).length >= 3
      })
      await askFor(spender, agentId, { amount: 21 })
      const grown = () => app.rows('select 1 from messages where item_count > 1')
      await waitUntil(async () => {
        await messages.round()
        return (await grown()).length > 0
      })
    } finally {
      await messages.stop()
      await receiver.close()
    }
    const chats = messagesOf({ ...app, database: { ...app.database, db } }, undefined)
    await chats.round()
    await chats.stop()
  })

  test('a chat is removed, and so are old messages', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const ada = await aMember(app, acme)
    const url = 'https://93.184.216.34/services/T0'
    bodyOf(await ada.patch(`${MESSAGES}/chat`, { url }))
    bodyOf(await ada.delete(`${MESSAGES}/chat`))
    expect(await removeOldMessages(db, Date.now() - 86_400_000)).toBe(0)
  })
}
