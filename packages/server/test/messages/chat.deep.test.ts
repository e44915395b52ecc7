import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RETRY_DELAYS_MS } from '../../src/messages/attempt.ts'
import type { Messages } from '../../src/messages/messages.ts'
import { createOutboundClient } from '../../src/outbound/outbound-client.ts'
import { checkMail } from '../../src/process/doctor/receivers.ts'
import { sealedValues } from '../../src/process/sealed-values.ts'
import { resealAll } from '../../src/storage/secrets/reseal.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { askFor } from '../support/approvals.ts'
import { bodyOf } from '../support/builders.ts'
import { usualEngine } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { anAskingAgent, messagesOf, NO_SMTP } from '../support/messages.ts'
import { aMember } from '../support/people.ts'
import { answerWith, type Receiver, startReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

const CHAT = '/console/api/messages/chat'
let app: TestApp
let receiver: Receiver
let messages: Messages
beforeEach(async () => {
  app = await createTestApp(usualEngine(), { smtp: NO_SMTP })
  receiver = await startReceiver()
  messages = messagesOf(app, undefined)
})
afterEach(async () => {
  await messages?.stop()
  await app?.stop()
  await receiver?.close()
})

async function withChat(name: string, url = receiver.url): Promise<Owner> {
  const owner = await app.organization(name)
  const ada = await aMember(app, owner)
  bodyOf(await ada.patch(CHAT, { url }))
  await messages.round()
  return owner
}

async function ask(owner: Owner, amount = 20): Promise<void> {
  const { agentId, spender } = await anAskingAgent(app, owner)
  await askFor(spender, agentId, { amount })
}

const texts = () => receiver.received.map(({ body }) => String(JSON.parse(body).text))

describe('a chat', () => {
  test('that fails gets the message after the retry, once', async () => {
    receiver.behave(answerWith(500))
    await ask(await withChat('Acme'))
    const failures = () =>
      app.rows('select 1 from messages where failures = 1 and lease_id is null')
    await waitUntil(async () => {
      await messages.round()
      return (await failures()).length === 1
    })
    receiver.behave(answerWith(200))
    app.clock.now = Date.now() + (RETRY_DELAYS_MS[0] ?? 0)
    await waitUntil(async () => {
      await messages.round()
      return (await app.rows("select 1 from messages where status = 'sent'")).length === 1
    })
    expect(texts()).toHaveLength(2)
  })

  test('whose address may not be called any more is not called', async () => {
    const owner = await withChat('Acme')
    await messages.stop()
    const outbound = createOutboundClient({ allowLoopback: false, allowedNetworks: [] })
    messages = messagesOf(app, undefined, { outbound })
    await ask(owner)
    await waitUntil(async () => {
      await messages.round()
      return (await app.rows('select 1 from messages where failures = 1')).length === 1
    })
    expect(receiver.received).toEqual([])
    await outbound.close()
  })

  test('that hangs delays no other organization', async () => {
    receiver.behave((response, { body }) => {
      // One of the two never answers.
      if (!body.includes('Stuck')) response.end()
    })
    const stuck = await withChat('Stuck')
    const quick = await withChat('Quick')
    await ask(stuck)
    await ask(quick)
    const sent = () => app.rows("select 1 from messages where status = 'sent'")
    await waitUntil(async () => (await sent()).length === 1)
    expect(texts().some((text) => text.includes('Quick'))).toBe(true)
  })

  test('opens with the new master key after a rotation, as does an invitation that waits', async () => {
    const owner = await withChat('Acme')
    const ada = await aMember(app, owner)
    bodyOf(await ada.post('/console/api/invitations', { email: 'b@example.com', role: 'viewer' }))
    const [before, after] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
    const { db } = app.database
    const kinds = sealedValues({ paths: [] })
    const { unreadable } = await resealAll({ db, sealer: createSealer(after, [before]), kinds })
    expect(unreadable).toBe(0)
    await messages.stop()
    const server = await startMailServer()
    messages = messagesOf(app, server.smtp, { sealer: createSealer(after) })
    await ask(owner)
    await waitUntil(async () => {
      await messages.round()
      return receiver.received.length === 1 && server.mails.length >= 1
    })
    expect(server.mails.some(({ to }) => to[0] === 'b@example.com')).toBe(true)
    await server.close()
  })
})

test('purser doctor says whether the SMTP server can be used, without sending a mail', async () => {
  const server = await startMailServer()
  expect(await checkMail({ smtp: server.smtp })).toMatchObject({ status: 'ok' })
  const wrong = await checkMail({ smtp: { ...server.smtp, password: 'wrong-password' } })
  expect(wrong.status).toBe('warn')
  expect(wrong.text).not.toContain('wrong-password')
  expect(server.mails).toEqual([])
  await server.close()
  expect(await checkMail({ smtp: server.smtp })).toMatchObject({ status: 'warn' })
  expect(await checkMail({ smtp: undefined })).toMatchObject({ status: 'ok' })
})
