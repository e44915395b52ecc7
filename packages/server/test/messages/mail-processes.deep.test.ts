import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { askFor } from '../support/approvals.ts'
import { bodyOf } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import {
  type MailServer,
  type ReceivedMail,
  SMTP_PASSWORD,
  SMTP_USER,
  startMailServer,
} from '../support/mail-server.ts'
import { anAskingAgent, NO_SMTP } from '../support/messages.ts'
import { aMember } from '../support/people.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Each process sends as many mails of one organization at once. */
const AT_ONCE = 2
const FROM = ['first@example.com', 'second@example.com'] as const

describeOnPostgres('two gateway processes on one database', () => {
  let app: TestApp
  let acme: Owner
  let server: MailServer
  let receiver: Receiver
  let gateways: GatewayProcess[]
  beforeEach(async () => {
    app = await createTestApp('postgres', { smtp: NO_SMTP })
    acme = await app.organization()
    server = await startMailServer()
    receiver = await startReceiver()
    gateways = await Promise.all(FROM.map(startGateway))
  })
  afterEach(async () => {
    server?.release()
    for (const gateway of gateways ?? []) await gateway.stop()
    await receiver?.close()
    await server?.close()
    await app?.stop()
  })

  function startGateway(from: string): Promise<GatewayProcess> {
    const user = `${SMTP_USER}:${encodeURIComponent(SMTP_PASSWORD)}`
    return startGatewayProcess({
      DATABASE_URL: app.database.url,
      PURSER_SMTP_URL: `smtp://${user}@127.0.0.1:${server.smtp.port}?tls=off`,
      PURSER_MAIL_FROM: from,
    })
  }

  const statuses = async () =>
    (await app.rows<{ status: string }>('select status from messages')).map(({ status }) => status)
  const areSent = async (count: number) => {
    const all = await statuses()
    return all.length === count && all.every((status) => status === 'sent')
  }

  test('send each message once, and both take part', async () => {
    const ada = await aMember(app, acme)
    const members = [ada]
    for (let n = 0; n < 11; n++) members.push(await aMember(app, acme, { role: 'approver' }))
    bodyOf(await ada.patch('/console/api/messages/chat', { url: receiver.url }))
    server.hold()
    const { agentId, spender } = await anAskingAgent(app, acme)
    await askFor(spender, agentId, { amount: 20 })
    // One process alone would have only the half of them under way.
    await waitUntil(() => server.held() === AT_ONCE * gateways.length)
    server.release()
    await waitUntil(() => areSent(members.length + 1))
    expect(server.mails.flatMap(({ to }) => to).toSorted()).toEqual(
      members.map(({ email }) => email).toSorted(),
    )
    expect(new Set(server.mails.map(({ from }) => from))).toEqual(new Set(FROM))
    expect(receiver.received).toHaveLength(1)
  })

  test('lose no message of one that is killed, and repeat only what it had sent', async () => {
    const ada = await aMember(app, acme)
    server.hold()
    for (const name of ['bob', 'cleo', 'dan', 'eve', 'finn', 'gus']) {
      const email = `${name}@example.com`
      bodyOf(await ada.post('/console/api/invitations', { email, role: 'viewer' }))
    }
    await waitUntil(() => server.held() === AT_ONCE * gateways.length)
    const [killed, other] = FROM
    await gateways.shift()?.kill()
    server.release()
    const leased = async () => {
      const rows = await app.rows('select 1 from messages where lease_id is not null')
      return rows.length
    }
    await waitUntil(async () => (await statuses()).filter((it) => it === 'sent').length === 4)
    expect(await leased()).toBe(AT_ONCE)
    // The other process takes them over when their leases end.
    await app.rows('update messages set due_at = now() where lease_id is not null')
    await waitUntil(() => areSent(6))
    const by = (from: string) => server.mails.filter((mail) => mail.from === from)
    expect(by(killed)).toHaveLength(AT_ONCE)
    expect(new Set(by(other).map(idOf)).size).toBe(by(other).length)
    const repeated = by(killed).map(idOf)
    expect(by(other).map(idOf)).toEqual(expect.arrayContaining(repeated))
    expect(server.mails).toHaveLength(6 + AT_ONCE)
  })
})

function idOf({ headers }: ReceivedMail): string | undefined {
  return /^message-id: <(.*)@example\.com>$/im.exec(headers)?.[1]
}
