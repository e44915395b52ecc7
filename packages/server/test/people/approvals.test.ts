import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import type { Role } from '../../src/core/people/role.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { approvalIdIn, aSpender, askFor, decideOn, readApproval } from '../support/approvals.ts'
import { aKey, anActiveMandate, bodyOf } from '../support/builders.ts'
import { aMember, type Person } from '../support/people.ts'
import { aSpend, evaluate } from '../support/spends.ts'
import { withTimeEnough } from '../support/time-enough.ts'

const ASKS = { rules: [{ type: 'approval', above: 5 }] }

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const decide = (person: Person, id: string) =>
  person.post(`/api/v1/approvals/${id}/decision`, { decision: 'approve' })

/** An agent, and what its own key has asked for. */
async function asked() {
  const { agentId } = await anActiveMandate(acme, ASKS)
  const spender = await aSpender(app, acme, agentId)
  return { agentId, spender, id: await askFor(spender, agentId) }
}

/** What a member asks for an agent, with the session. */
async function askedBy(person: Person, agentId: string): Promise<string> {
  const answer = await person.post('/api/v1/gateway/evaluate', aSpend(agentId))
  return approvalIdIn(JSON.parse(answer.text))
}

describe('an approval is decided', () => {
  test.each<Role>(['owner', 'admin', 'approver'])('by an %s, who is named', async (role) => {
    const member = await aMember(app, acme, { role })
    const { agentId, spender, id } = await asked()
    const answer = await decide(member, id)
    expect(answer.status, answer.text).toBe(200)
    const actor = { kind: 'member', id: member.id, name: member.email }
    expect((await readApproval(acme, id)).decisions).toMatchObject([{ actor }])
    const spent = await evaluate(spender, agentId, { approvalId: id })
    expect(spent.decision).toBe('approved')
  })

  test('by a member, whom the event names by id and e-mail address', async () => {
    bodyOf(await acme.patch('/organization', { webhookEvents: ['approval.decided'] }))
    const member = await aMember(app, acme, { role: 'approver' })
    const { id } = await asked()
    expect((await decide(member, id)).status).toBe(200)
    const { data } = bodyOf(await acme.get('/events?event=approval.decided'))
    const told = data.find((event) => JSON.stringify(event).includes(id))
    const { id: decidedById, email: decidedByEmail } = member
    expect(told?.data).toMatchObject({ decidedById, decidedByEmail })
  })

  test('by no viewer', async () => {
    const viewer = await aMember(app, acme, { role: 'viewer' })
    const { id } = await asked()
    const refused = await decide(viewer, id)
    expect(refused.body).toMatchObject({
      ...{ status: 403, code: 'insufficient_scope', requiredScope: 'approvals:write' },
    })
    expect((await viewer.get(`/api/v1/approvals/${id}`)).body.status).toBe('pending')
  })

  test('by no member who asked, nor by one who joined', async () => {
    const [ada, bob] = [await aMember(app, acme), await aMember(app, acme)]
    const { agentId } = await anActiveMandate(acme, ASKS)
    const id = await askedBy(ada, agentId)
    expect(await askedBy(bob, agentId)).toBe(id)
    for (const person of [ada, bob]) {
      const refused = await decide(person, id)
      expect([refused.status, refused.body.code]).toEqual([403, 'approval_own_request'])
    }
    expect((await decide(await aMember(app, acme, { role: 'approver' }), id)).status).toBe(200)
  })

  test('by no key that a member has made who asked', async () => {
    const ada = await aMember(app, acme)
    const { agentId } = await anActiveMandate(acme, ASKS)
    const id = await askedBy(ada, agentId)
    const made = bodyOf(await ada.post('/api/v1/api-keys', { name: 'Made by Ada' }))
    const own = app.client(made.apiKey)
    const below = app.client(bodyOf(await own.post('/api-keys', { name: 'Made by that' })).apiKey)
    for (const key of [own, below]) {
      const refused = await decideOn(key, id)
      expect([refused.status, refused.body.code]).toEqual([403, 'approval_own_request'])
    }
    bodyOf(await decideOn(acme, id))
  })

  test('by the member whose key asked, because the key is in their hands', async () => {
    const ada = await aMember(app, acme)
    const { agentId } = await anActiveMandate(acme, ASKS)
    const body = { name: 'Agent', agentIds: [agentId] }
    const { apiKey } = bodyOf(await ada.post('/api/v1/api-keys', body))
    const id = await askFor(app.client(apiKey), agentId)
    expect((await decide(ada, id)).status).toBe(200)
  })
})

describe('a member who waits for an answer', () => {
  test('is told it', async () => {
    const viewer = await aMember(app, acme, { role: 'viewer' })
    const { id } = await asked()
    const waiting = viewer.get(`/api/v1/approvals/${id}?wait=60`)
    bodyOf(await decideOn(acme, id, 'reject'))
    const answer = await waiting
    expect([answer.status, answer.body.status]).toEqual([200, 'rejected'])
  })

  test('waits for as long as was asked for', async () => {
    const viewer = await aMember(app, acme, { role: 'viewer' })
    const { id } = await asked()
    const answer = await viewer.get(`/api/v1/approvals/${id}?wait=1`)
    expect([answer.status, answer.body.status]).toEqual([200, 'pending'])
  })

  test('waits no longer than the session lasts', async () => {
    const { id } = await asked()
    const detail = await withTimeEnough(async (withinMs) => {
      const viewer = await aMember(app, acme, { role: 'viewer' })
      const waiting = viewer.get(`/api/v1/approvals/${id}?wait=60`)
      await pause(withinMs)
      await viewer.post('/console/api/sign-out')
      const { status, body } = await waiting
      expect(status).toBe(401)
      // Otherwise the session had ended before anybody waited.
      return body.detail.includes('was waiting') ? body.detail : undefined
    })
    expect(detail).toBe('The session ended while this request was waiting.')
  })
})

describe('somebody who has just lost the right to decide', () => {
  const REFUSED = [401, 403]

  test('decides nothing, even where no process has heard of it', async () => {
    const { id } = await asked()
    for (const set of [`role = 'viewer'`, `status = 'removed'`]) {
      const member = await aMember(app, acme, { role: 'approver' })
      // The session is remembered, and this change is not announced.
      expect((await member.get(`/api/v1/approvals/${id}`)).status).toBe(200)
      await app.rows(`update members set ${set} where id = $1`, [toUuid('mem', member.id)])
      expect(REFUSED).toContain((await decide(member, id)).status)
    }
    const { key, client } = await aKey(app, acme, { scopes: ['approvals:write'] })
    expect((await client.get(`/approvals/${id}`)).status).toBe(200)
    await app.rows('update api_keys set revoked_at = now() where id = $1', [toUuid('key', key.id)])
    expect(REFUSED).toContain((await decideOn(client, id)).status)
    expect(await readApproval(acme, id)).toMatchObject({ status: 'pending', decisions: [] })
  })

  test('makes no key either', async () => {
    const admin = await aMember(app, acme, { role: 'admin' })
    expect((await admin.get('/api/v1/api-keys')).status).toBe(200)
    const id = toUuid('mem', admin.id)
    await app.rows(`update members set role = 'viewer' where id = $1`, [id])
    const made = await admin.post('/api/v1/api-keys', { name: 'Too late' })
    expect([made.status, made.body.code]).toEqual([403, 'insufficient_scope'])
  })
})
