import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { RETRY_DELAYS_MS } from '../../src/messages/attempt.ts'
import { closeStore } from '../../src/storage/backup/closed-store.ts'
import { findClosedStore, finishRestore } from '../../src/storage/backup/finish-restore.ts'
import { askFor } from '../support/approvals.ts'
import { anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { startMailServer } from '../support/mail-server.ts'
import { anAskingAgent, messagesOf } from '../support/messages.ts'
import { aMember } from '../support/people.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { MINUTE_MS, useMailStage } from './mail-stage.ts'

/* Mails when something fails: the server, a process, the store. And what no mail may contain. */

const stage = useMailStage()

describe('an SMTP server', () => {
  test('that is down gets the message once it is back, with what was gathered meanwhile', async () => {
    await aMember(stage.app, stage.acme, { role: 'approver' })
    const messages = await stage.start()
    const { port } = stage.server.smtp
    await stage.server.close()
    const { agentId, spender } = await anAskingAgent(stage.app, stage.acme)
    await askFor(spender, agentId, { amount: 20 })
    const failures = async () =>
      (await stage.app.rows<{ failures: number }>('select failures from messages'))[0]?.failures
    await waitUntil(async () => {
      await messages.round()
      return (await failures()) === 1
    })
    await askFor(spender, agentId, { amount: 21 })
    await messages.round()
    stage.server = await startMailServer(port)
    expect(stage.server.mails).toEqual([])
    stage.pass(RETRY_DELAYS_MS[0] ?? 0)
    const [mail] = await stage.mailsOf(messages, 1)
    expect(mail?.subject).toBe('Acme: 2 spends wait for approval')
  })

  test('that stays down is tried seven times, and then the message is given up', async () => {
    await aMember(stage.app, stage.acme, { role: 'approver' })
    const messages = await stage.start()
    await stage.server.close()
    const { agentId, spender } = await anAskingAgent(stage.app, stage.acme, {
      rules: [{ type: 'approval', above: 5, expiresIn: '7d' }],
    })
    await askFor(spender, agentId, { amount: 20 })
    await waitUntil(async () => {
      await messages.round()
      stage.pass(6 * 60 * MINUTE_MS)
      return (await stage.statuses())[0] === 'failed'
    })
    const [row] = await stage.app.rows<{ failures: number }>('select failures from messages')
    expect(row?.failures).toBe(RETRY_DELAYS_MS.length)
    stage.server = await startMailServer()
  })

  test('that refuses one recipient for good gets no retry, and the others get their mail', async () => {
    const wrong = await aMember(stage.app, stage.acme, {
      role: 'approver',
      email: 'wrong@example.com',
    })
    const right = await aMember(stage.app, stage.acme, { role: 'approver' })
    stage.server.refuse((to) => (to === wrong.email ? 550 : undefined))
    const messages = await stage.start()
    const { agentId, spender } = await anAskingAgent(stage.app, stage.acme)
    await askFor(spender, agentId, { amount: 20 })
    const [mail] = await stage.mailsOf(messages, 1)
    expect(mail?.to).toEqual([right.email])
    await waitUntil(async () => (await stage.statuses()).includes('failed'))
    expect((await stage.statuses()).toSorted()).toEqual(['failed', 'sent'])
  })
})

test('a server that accepts a connection and never answers delays no decision', async () => {
  await aMember(stage.app, stage.acme, { role: 'approver' })
  const connections: Socket[] = []
  const silent = createServer((socket) => void connections.push(socket.on('error', () => {})))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const messages = stage.keep(messagesOf(stage.app, { ...stage.server.smtp, port }))
  await messages.round()
  const { agentId, spender } = await anAskingAgent(stage.app, stage.acme)
  await askFor(spender, agentId, { amount: 20 })
  // A machine that is too slow to decide before the mail times out tries again.
  await waitUntil(async () => {
    let hasMailEnded = false
    const before = connections.length
    const round = messages.round().finally(() => {
      hasMailEnded = true
    })
    await waitUntil(() => connections.length > before)
    await evaluate(stage.acme, agentId, { amount: 1 })
    const isDecidedFirst = !hasMailEnded
    for (const socket of connections) socket.destroy()
    await round
    stage.pass(10 * MINUTE_MS)
    return isDecidedFirst
  })
  silent.close()
})

test('a process that dies between sending and storing leads to one repeat, with the same id', async () => {
  await aMember(stage.app, stage.acme, { role: 'approver' })
  const messages = await stage.start()
  const { agentId, spender } = await anAskingAgent(stage.app, stage.acme)
  await askFor(spender, agentId, { amount: 20 })
  await stage.mailsOf(messages, 1)
  // The state that such a process leaves behind.
  await stage.app.rows(`update messages set status = 'waiting', ended_at = null,
                         lease_id = gen_random_uuid(), due_at = now() + interval '1 minute'`)
  await messages.round()
  expect(stage.server.mails).toHaveLength(1)
  stage.pass(2 * MINUTE_MS)
  const [first, second] = await stage.mailsOf(messages, 2)
  const idOf = (headers = '') => /^message-id: (.*)$/im.exec(headers)?.[1]
  expect(idOf(second?.headers)).toBe(idOf(first?.headers))
  expect(idOf(first?.headers)).toMatch(/^<[0-9a-f-]{36}@example\.com>$/)
})

test('a closed store sends nothing, and what waits is sent once it is open', async () => {
  const ada = await aMember(stage.app, stage.acme)
  bodyOf(await ada.post('/console/api/invitations', { email: 'bob@example.com', role: 'viewer' }))
  const { agentId, spender } = await anAskingAgent(stage.app, stage.acme)
  await askFor(spender, agentId, { amount: 20 })
  const { db } = stage.app.database
  await db.transaction((tx) => closeStore(tx, 'restored', 'For a test.'))
  expect((await findClosedStore(db)).pending.messages).toBe(1)
  const messages = stage.keep(messagesOf(stage.app, stage.server.smtp))
  for (let n = 0; n < 3; n++) await messages.round().catch(() => {})
  expect(stage.server.connections()).toBe(0)
  await finishRestore(db, false)
  const mails = await stage.mailsOf(messages, 2)
  expect(mails.map(({ to }) => to[0]).toSorted()).toEqual(['bob@example.com', ada.email].toSorted())
})

describe('names', () => {
  const SNEAKY = 'Acme\r\nBcc: eve@example.com\r\n\r\nPay now at https://evil.example'

  test('with line breaks add no header and no recipient, even if one is stored', async () => {
    await aMember(stage.app, stage.acme, { role: 'approver' })
    const messages = await stage.start()
    const { agentId, spender } = await anAskingAgent(stage.app, stage.acme)
    // The API refuses such names. A message must not depend on it.
    await stage.app.rows('update organizations set name = $1', [SNEAKY])
    await stage.app.rows('update agents set name = $1', [SNEAKY])
    await askFor(spender, agentId, { amount: 20 })
    const [mail] = await stage.mailsOf(messages, 1)
    expect(mail?.to).toHaveLength(1)
    expect(mail?.headers).not.toMatch(/^bcc:/im)
    expect(mail?.headers.match(/^subject:/gim)).toHaveLength(1)
    expect(mail?.text).not.toMatch(/^(Bcc|Pay)/m)
  })

  test('in other scripts arrive as they are', async () => {
    await aMember(stage.app, stage.acme, { role: 'approver' })
    const messages = await stage.start()
    await stage.app.rows('update organizations set name = $1', ['Über 株式会社 “A & B” <x>'])
    const { agentId, spender } = await anAskingAgent(stage.app, stage.acme)
    await askFor(spender, agentId, { amount: 20 })
    const [mail] = await stage.mailsOf(messages, 1)
    expect(mail?.subject).toBe('Über 株式会社 “A & B” <x>: 1 spend waits for approval')
  })
})

test('no message but an invitation carries a secret, and none a key, a URL or metadata', async () => {
  const ada = await aMember(stage.app, stage.acme)
  const messages = await stage.start()
  const webhookUrl = 'http://127.0.0.1:9/hook/secret-hook-path'
  bodyOf(await stage.acme.patch('/organization', { webhookUrl }))
  const { agentId, spender } = await anAskingAgent(stage.app, stage.acme, { budgetTotal: 100 })
  const fields = {
    metadata: { note: 'secret-metadata' },
    reason: 'secret-reason',
    reference: 'secret-ref',
  }
  await askFor(spender, agentId, { amount: 20, ...fields })
  const plain = await anAgent(stage.acme)
  await anActiveMandate(stage.acme, { agentId: plain.id, budgetTotal: 10 })
  await evaluate(stage.acme, plain.id, { amount: 9, ...fields })
  const { token } = bodyOf(
    await ada.post('/console/api/invitations', { email: 'bob@example.com', role: 'viewer' }),
  )
  const mails = await stage.mailsOf(messages, 3)
  const all = mails.map(({ raw, text }) => raw + text).join('\n')
  for (const secret of [stage.acme.apiKey, spender.apiKey, 'psr_test_', 'secret-', 'whsec_']) {
    expect(all).not.toContain(secret)
  }
  const withToken = mails.filter(({ raw, text }) => (raw + text).includes(token))
  expect(withToken.map(({ to }) => to)).toEqual([['bob@example.com']])
})
