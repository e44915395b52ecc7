import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { askFor } from '../support/approvals.ts'
import { bodyOf } from '../support/builders.ts'
import { anAskingAgent, messagesOf } from '../support/messages.ts'
import { aMember } from '../support/people.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

const MESSAGES = '/console/api/messages'
const CHAT = '/console/api/messages/chat'
const SECRET_URL = 'https://93.184.216.34/services/T0/B0/secret-part'

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app?.stop())

describe('the choice of a member', () => {
  test('begins with the defaults of the role, and can be made and undone', async () => {
    const ada = await aMember(app, acme, { role: 'approver' })
    const first = bodyOf(await ada.get(MESSAGES))
    expect(first).toEqual({
      ...{ sendsMail: false, offered: ['approvals', 'budget', 'endpoints'] },
      ...{ kinds: ['approvals'], isDefault: true, chat: null },
    })
    const chosen = bodyOf(await ada.patch(MESSAGES, { kinds: ['budget'] }))
    expect(chosen).toMatchObject({ kinds: ['budget'], isDefault: false })
    const undone = bodyOf(await ada.patch(MESSAGES, { kinds: null }))
    expect(undone).toEqual(first)
  })

  test('cannot be a kind that the role may not have', async () => {
    const viewer = await aMember(app, acme, { role: 'viewer' })
    const answer = await viewer.patch(MESSAGES, { kinds: ['budget', 'approvals'] })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('/kinds/1')
    expect((await viewer.patch(MESSAGES, { kinds: ['everything'] })).status).toBe(400)
  })

  test("changes nobody else's", async () => {
    const ada = await aMember(app, acme)
    const bob = await aMember(app, acme)
    bodyOf(await ada.patch(MESSAGES, { kinds: [] }))
    expect(bodyOf(await bob.get(MESSAGES))).toMatchObject({ isDefault: true })
  })

  test('is kept as a change record', async () => {
    const ada = await aMember(app, acme)
    bodyOf(await ada.patch(MESSAGES, { kinds: [] }))
    const [row] = await app.rows<{ after: unknown }>(
      `select after from changes where subject_id = $1 and operation = 'member.updated'`,
      [ada.id],
    )
    expect(row?.after).toEqual({ messageKinds: [] })
  })
})

describe('the chat of an organization', () => {
  test('is shown by its host alone, sealed in the database, and recorded without its path', async () => {
    const globex = await app.organization('Globex')
    const ada = await aMember(app, globex)
    const saved = await ada.patch(CHAT, { url: SECRET_URL, kinds: ['approvals'] })
    expect(bodyOf(saved)).toEqual({ receiver: 'https://93.184.216.34/…', kinds: ['approvals'] })
    const shown = await ada.get(MESSAGES)
    expect(shown.text).toContain('93.184.216.34')
    const tables = await app.rows<{ text: string }>(
      `select concat_ws(' ', before, after) as text from changes
       union all select c::text from message_chats c`,
    )
    const all = [saved.text, shown.text, ...tables.map(({ text }) => text)].join()
    expect(all).toContain('messageChatUrl')
    expect(all).not.toContain('secret-part')
    // A different path of the same host is a change.
    bodyOf(await ada.patch(CHAT, { url: `${SECRET_URL}-2` }))
    const changes = await app.rows(
      `select 1 from changes where organization_id = $1 and after::text like '%messageChatUrl%'`,
      [globex.organizationId],
    )
    expect(changes).toHaveLength(2)
    expect(bodyOf(await ada.patch(CHAT, { kinds: ['budget'] }))).toMatchObject({
      kinds: ['budget'],
    })
    expect(bodyOf(await ada.delete(CHAT))).toEqual({ removed: true })
    expect(bodyOf(await ada.get(MESSAGES))).toMatchObject({ chat: null })
  })

  test('cannot be an address inside the network, nor be missing', async () => {
    const ada = await aMember(app, acme)
    const inside = await ada.patch(CHAT, { url: 'https://10.0.0.1/hook' })
    expect([inside.status, inside.body['code']]).toEqual([400, 'validation_failed'])
    expect(inside.text).toContain('address_refused')
    expect((await ada.patch(CHAT, { kinds: ['budget'] })).status).toBe(400)
  })

  test('is not for approvers and viewers to change', async () => {
    for (const role of ['approver', 'viewer'] as const) {
      const member = await aMember(app, acme, { role })
      expect((await member.patch(CHAT, { url: SECRET_URL })).status).toBe(403)
      expect((await member.delete(CHAT)).status).toBe(403)
    }
  })
})

describe('a message to a chat', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver?.close())

  test('has the news and a link, and cannot alert a channel', async () => {
    const initech = await app.organization('<!channel> & Co')
    const ada = await aMember(app, initech)
    bodyOf(await ada.patch(CHAT, { url: receiver.url, kinds: ['approvals'] }))
    const messages = messagesOf(app, undefined)
    await messages.round()
    const { agentId, spender } = await anAskingAgent(app, initech)
    const id = await askFor(spender, agentId, { amount: 20, metadata: { note: 'secret-note' } })
    await waitUntil(async () => {
      await messages.round()
      return receiver.received.length > 0
    })
    await messages.stop()
    const [{ body } = { body: '' }] = receiver.received
    const { text } = JSON.parse(body)
    expect(text).toContain('&lt;!channel&gt; &amp; Co: 1 spend waits for approval')
    expect(text).toContain(`https://purser.test/approvals/${id}`)
    expect(text).not.toContain('secret-note')
    expect(receiver.received).toHaveLength(1)
  })
})
