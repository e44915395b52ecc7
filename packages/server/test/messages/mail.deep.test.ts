import { describe, expect, test } from 'vitest'
import { askFor, decideOn } from '../support/approvals.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { anAskingAgent, PUBLIC_URL } from '../support/messages.ts'
import { aBrowser, aMember, PASSWORD } from '../support/people.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { MINUTE_MS, useMailStage } from './mail-stage.ts'

/* A message of each kind, through a real SMTP server. */

const stage = useMailStage()

describe('a mail about an approval', () => {
  test('goes at once to those who may answer, and links to a page that needs a sign-in', async () => {
    const approver = await aMember(stage.app, stage.acme, { role: 'approver' })
    await aMember(stage.app, stage.acme, { role: 'viewer' })
    const messages = await stage.start()
    const { agentId, spender } = await anAskingAgent(stage.app, stage.acme)
    const id = await askFor(spender, agentId, { amount: 20, vendor: 'shop.example' })
    const [mail] = await stage.mailsOf(messages, 1)
    expect(mail).toMatchObject({ from: 'purser@example.com', to: [approver.email] })
    expect(mail?.subject).toBe('Acme: 1 spend waits for approval')
    expect(mail?.text).toContain('20 USD at shop.example')
    expect(mail?.text).toContain(`${PUBLIC_URL}/approvals/${id}`)
    expect(mail?.headers).toMatch(/^Auto-Submitted: auto-generated$/m)
    expect(mail?.headers).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m)
    // A mail scanner that opens the link gets the page, and changes nothing.
    await stage.app.app.inject({ method: 'GET', url: `/approvals/${id}` })
    expect((await stage.acme.get(`/approvals/${id}`)).body['status']).toBe('pending')
  })

  test('gathers what comes within two minutes into one, with a bounded list', async () => {
    await aMember(stage.app, stage.acme, { role: 'approver' })
    const messages = await stage.start()
    const { agentId, spender } = await anAskingAgent(stage.app, stage.acme, { budgetTotal: 1_000 })
    await askFor(spender, agentId, { amount: 20 })
    await stage.mailsOf(messages, 1)
    for (let amount = 21; amount < 36; amount++) await askFor(spender, agentId, { amount })
    await messages.round()
    expect(await stage.statuses()).toEqual(['sent', 'waiting'])
    stage.pass(MINUTE_MS)
    await messages.round()
    expect(stage.server.mails).toHaveLength(1)
    stage.pass(MINUTE_MS)
    const [, digest] = await stage.mailsOf(messages, 2)
    expect(digest?.subject).toBe('Acme: 15 spends wait for approval')
    expect(digest?.text.match(/^- /gm)).toHaveLength(11)
    expect(digest?.text).toContain('- and 5 more')
  })

  test('is not sent once the request has its answer', async () => {
    await aMember(stage.app, stage.acme, { role: 'approver' })
    const messages = await stage.start()
    const { agentId, spender } = await anAskingAgent(stage.app, stage.acme)
    await askFor(spender, agentId, { amount: 20 })
    await stage.mailsOf(messages, 1)
    const id = await askFor(spender, agentId, { amount: 21 })
    await messages.round()
    bodyOf(await decideOn(stage.acme, id))
    stage.pass(10 * MINUTE_MS)
    await waitUntil(async () => {
      await messages.round()
      return (await stage.statuses()).includes('dropped')
    })
    expect(stage.server.mails).toHaveLength(1)
  })

  test('does not go to the member who asked, nor to one who was removed', async () => {
    const owner = await aMember(stage.app, stage.acme)
    const asker = await aMember(stage.app, stage.acme, { role: 'admin' })
    const gone = await aMember(stage.app, stage.acme, { role: 'approver' })
    const messages = await stage.start()
    const { agentId } = await anAskingAgent(stage.app, stage.acme)
    const spend = { agentId, amount: 20, vendor: 'shop.example', category: 'llm' }
    bodyOf(await asker.post('/api/v1/gateway/evaluate', spend))
    bodyOf(await owner.delete(`/console/api/members/${gone.id}`))
    const [mail] = await stage.mailsOf(messages, 1)
    expect(mail?.to).toEqual([owner.email])
  })
})

test('an invitation is mailed with its link, which works once', async () => {
  const ada = await aMember(stage.app, stage.acme)
  const messages = await stage.start()
  const invited = await ada.post('/console/api/invitations', {
    email: 'bob@example.com',
    role: 'approver',
  })
  const { token } = bodyOf(invited)
  const [mail] = await stage.mailsOf(messages, 1)
  expect(mail?.to).toEqual(['bob@example.com'])
  expect(mail?.subject).toBe('Invitation to Acme on Purser')
  expect(mail?.text).toContain(`${PUBLIC_URL}/accept#${token}`)
  const rows = await stage.app.rows('select 1 from messages where sealed_token is not null')
  expect(rows).toEqual([])
  const bob = await aBrowser(stage.app).post('/console/api/accept', { token, password: PASSWORD })
  expect(bob.status).toBe(200)
  const again = await aBrowser(stage.app).post('/console/api/accept', { token, password: PASSWORD })
  expect(again.body['code']).toBe('link_ended')
})

test('an invitation that was withdrawn before the mail is not mailed', async () => {
  const ada = await aMember(stage.app, stage.acme)
  const invite = { email: 'bob@example.com', role: 'viewer' }
  const { id } = bodyOf(await ada.post('/console/api/invitations', invite))
  bodyOf(await ada.delete(`/console/api/invitations/${id}`))
  const messages = await stage.start()
  await waitUntil(async () => {
    await messages.round()
    return (await stage.statuses())[0] === 'dropped'
  })
  expect(stage.server.mails).toEqual([])
})

test('an address gets at most three invitations a day', async () => {
  const ada = await aMember(stage.app, stage.acme)
  const invite = { email: 'bob@example.com', role: 'viewer' }
  for (let n = 0; n < 5; n++) bodyOf(await ada.post('/console/api/invitations', invite))
  expect(await stage.statuses()).toHaveLength(3)
})

test('a budget that reaches its warning level is told with its figures', async () => {
  const ada = await aMember(stage.app, stage.acme)
  const messages = await stage.start()
  const { agentId } = await anActiveMandate(stage.acme, { budgetTotal: 100 })
  await evaluate(stage.acme, agentId, { amount: 85 })
  const [mail] = await stage.mailsOf(messages, 1)
  expect(mail?.to).toEqual([ada.email])
  expect(mail?.subject).toBe('Acme: 1 budget has reached a warning level')
  expect(mail?.text).toContain('85 USD of 100 USD')
})

test('webhook deliveries that failed for good are told to owners, by host alone', async () => {
  const ada = await aMember(stage.app, stage.acme)
  const messages = await stage.start()
  // No process listens there.
  const webhookUrl = 'http://127.0.0.1:9/hook/a-secret-path?key=a-secret'
  bodyOf(await stage.acme.patch('/organization', { webhookUrl }))
  const { agentId } = await anActiveMandate(stage.acme)
  await evaluate(stage.acme, agentId)
  await stage.app.rows(`update webhook_queue set failures = 4`)
  await waitUntil(async () => {
    stage.pass(MINUTE_MS)
    stage.app.wakeDispatcher()
    return (
      (await stage.app.rows("select 1 from webhook_deliveries where status = 'failed'")).length > 0
    )
  })
  stage.pass(2 * MINUTE_MS)
  const [mail] = await stage.mailsOf(messages, 1)
  expect(mail?.to).toEqual([ada.email])
  expect(mail?.subject).toBe('Acme: Webhook deliveries fail')
  expect(mail?.text).toContain('http://127.0.0.1:9/')
  expect(mail?.raw).not.toContain('a-secret')
})

test('a webhook endpoint that was paused because it failed is told once, a person’s own pause is not', async () => {
  const ada = await aMember(stage.app, stage.acme)
  const messages = await stage.start()
  const webhookUrl = 'http://127.0.0.1:9/hook/a-secret-path'
  bodyOf(await stage.acme.patch('/organization', { webhookUrl }))
  const pause = (isPaused: boolean, at: string) =>
    stage.app.rows(
      `insert into webhook_endpoints (organization_id, id, is_paused, paused_at)
       values ($1, $1, $2, $3) on conflict (organization_id, id) do update
       set is_paused = excluded.is_paused, paused_at = excluded.paused_at`,
      [stage.acme.organizationId, isPaused, at],
    )
  await pause(true, '2090-01-01T00:00Z')
  stage.pass(2 * MINUTE_MS)
  await messages.round()
  await pause(false, '2090-01-02T00:00Z')
  stage.pass(2 * MINUTE_MS)
  const [mail] = await stage.mailsOf(messages, 1)
  expect(mail?.to).toEqual([ada.email])
  expect(mail?.subject).toBe('Acme: A webhook endpoint is paused')
  expect(mail?.text).toContain('Every attempt to reach http://127.0.0.1:9/')
  expect(mail?.raw).not.toContain('a-secret')
  stage.pass(2 * MINUTE_MS)
  await messages.round()
  expect(stage.server.mails).toHaveLength(1)
})
