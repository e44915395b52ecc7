import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import {
  type ApprovalBody,
  anApprover,
  approvalIdIn,
  aSpender,
  askFor,
  decideOn,
  endApprovals,
  readApproval,
} from '../support/approvals.ts'
import { aKey, anActiveMandate, bodyOf } from '../support/builders.ts'
import { ASKS, setFourEyes } from '../support/four-eyes.ts'
import { aMember, type Person } from '../support/people.ts'
import { aSpend } from '../support/spends.ts'

interface Deciding {
  readonly mayDecide: boolean
  readonly mayNotDecideReason: string | null
  readonly requestedBy: { readonly kind: string; readonly id: string; readonly name: string } | null
}

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  acme = await app.organization()
})

/** The fields, which must be the same in the list and alone. */
async function seenBy(client: Pick<Owner, 'get'>, id: string, prefix = ''): Promise<Deciding> {
  const one = JSON.parse((await client.get(`${prefix}/approvals/${id}`)).text)
  const list = JSON.parse((await client.get(`${prefix}/approvals`)).text)
  const listed = list.data.find((row: ApprovalBody) => row.id === id)
  const pick = ({ mayDecide, mayNotDecideReason, requestedBy }: Deciding) => {
    return { mayDecide, mayNotDecideReason, requestedBy }
  }
  expect(pick(listed)).toEqual(pick(one))
  return pick(one)
}

const inSession = (person: Person, id: string) => seenBy(person, id, '/api/v1')

async function askedInSession(person: Person): Promise<string> {
  const { agentId } = await anActiveMandate(acme, ASKS)
  const answer = await person.post('/api/v1/gateway/evaluate', aSpend(agentId))
  return approvalIdIn(JSON.parse(answer.text))
}

describe('an approval', () => {
  test('says whether its reader may decide it, as the decision then does', async () => {
    const { agentId } = await anActiveMandate(acme, ASKS)
    const spender = await aSpender(app, acme, agentId)
    const id = await askFor(spender, agentId)
    const asker = await aKey(app, acme, { name: 'Asks and decides' })
    const own = await askFor(asker.client, (await anActiveMandate(acme, ASKS)).agentId)
    const below = (await aKey(app, asker.client, { name: 'Made by it' })).client
    const approver = await anApprover(app, acme)
    const reader = (await aKey(app, acme, { scopes: ['approvals:read'] })).client
    const cases: [Pick<Owner, 'get' | 'post'>, string, string | null][] = [
      [spender, id, 'agent_bound_key'],
      [reader, id, 'insufficient_scope'],
      [asker.client, own, 'approval_own_request'],
      [below, own, 'approval_own_request'],
      [asker.client, id, null],
      [approver, own, null],
    ]
    for (const [client, approvalId, reason] of cases) {
      const { mayDecide, mayNotDecideReason } = await seenBy(client, approvalId)
      expect([mayDecide, mayNotDecideReason]).toEqual([reason === null, reason])
      const { status, body } = await client.post(`/approvals/${approvalId}/decision`, {
        decision: 'approve',
      })
      expect([status === 200, body.code ?? null]).toEqual([reason === null, reason])
      if (status === 200) expect(body).toMatchObject({ mayNotDecideReason: 'approval_decided' })
    }
    expect((await seenBy(approver, own)).mayNotDecideReason).toBe('approval_decided')
  })

  test('that has expired is not decided any more', async () => {
    const { agentId } = await anActiveMandate(acme, ASKS)
    const id = await askFor(await aSpender(app, acme, agentId), agentId)
    expect((await seenBy(acme, id)).mayDecide).toBe(true)
    await endApprovals(app, agentId)
    expect(await seenBy(acme, id)).toMatchObject({
      mayDecide: false,
      mayNotDecideReason: 'approval_decided',
    })
  })

  test('needs another person, who is known by keys and links too', async () => {
    const ada = await aMember(app, acme)
    const bob = await aMember(app, acme, { role: 'approver' })
    const viewer = await aMember(app, acme, { role: 'viewer' })
    const id = await askedInSession(ada)
    expect((await inSession(ada, id)).mayNotDecideReason).toBe('approval_own_request')
    bodyOf(await setFourEyes(ada, true))
    expect((await inSession(ada, id)).mayNotDecideReason).toBe('four_eyes_required')
    expect(await inSession(bob, id)).toMatchObject({ mayDecide: true, mayNotDecideReason: null })
    expect((await inSession(viewer, id)).mayNotDecideReason).toBe('insufficient_scope')
    // A key that the operator made leads to nobody.
    expect((await seenBy(acme, id)).mayNotDecideReason).toBe('four_eyes_required')
  })

  test('names the key or member that has asked first, also when it is gone', async () => {
    const { agentId } = await anActiveMandate(acme, ASKS)
    const { key, client } = await aKey(app, acme, { name: 'Crew', agentIds: [agentId] })
    const other = await aSpender(app, acme, agentId)
    const id = await askFor(client, agentId)
    expect(await askFor(other, agentId)).toBe(id)
    const requestedBy = { kind: 'key', id: key.id, name: 'Crew' }
    expect((await seenBy(acme, id)).requestedBy).toEqual(requestedBy)
    expect((await seenBy(client, id)).requestedBy).toEqual(requestedBy)
    // A bound key learns nothing of other keys.
    expect((await seenBy(other, id)).requestedBy).toBeNull()
    bodyOf(await acme.delete(`/api-keys/${key.id}`))
    expect((await seenBy(acme, id)).requestedBy).toEqual(requestedBy)
    const ada = await aMember(app, acme)
    expect((await seenBy(acme, await askedInSession(ada))).requestedBy).toMatchObject({
      ...{ kind: 'member', id: ada.id },
    })
    await app.rows(`update approvals set asked_by = '{}' where id = $1`, [toUuid('apr', id)])
    expect((await seenBy(acme, id)).requestedBy).toBeNull()
  })
})

describe('the queue of approvals', () => {
  const idsOf = (text: string): string[] => JSON.parse(text).data.map(({ id }: ApprovalBody) => id)

  test('can begin with the request that expires first, page by page', async () => {
    const spends: string[] = []
    for (const expiresIn of ['3h', '1h', '2h', '4h', '1h']) {
      const rules = [{ type: 'approval', above: 5, expiresIn }]
      const { agentId } = await anActiveMandate(acme, { rules })
      spends.push(await askFor(await aSpender(app, acme, agentId), agentId))
    }
    const [three, one, two, four, oneLater] = spends
    const url = '/approvals?status=pending&sort=expiresAt'
    const all = await acme.get(url)
    expect(idsOf(all.text)).toEqual([one, oneLater, two, three, four])
    expect(JSON.parse(all.text)).toMatchObject({ total: 5, hasMore: false, nextCursor: null })
    expect(idsOf((await acme.get('/approvals?status=pending')).text)[0]).toBe(oneLater)
    const first = JSON.parse((await acme.get(`${url}&limit=2`)).text)
    expect([first.hasMore, first.total]).toEqual([true, 5])
    // The last request of the page is approved meanwhile, and so expires at another time.
    bodyOf(await decideOn(await anApprover(app, acme), oneLater ?? ''))
    const next = await acme.get(`${url}&limit=2&cursor=${first.nextCursor}`)
    expect(idsOf(next.text)).toEqual([two, three])
    expect(idsOf((await acme.get(`${url}&offset=3`)).text)).toEqual([four])
    const { agentId } = await readApproval(acme, two ?? '')
    expect(idsOf((await acme.get(`${url}&agentId=${agentId}`)).text)).toEqual([two])
    expect(idsOf((await acme.get(`${url}&vendor=api.openai.com`)).text)).toHaveLength(4)
    expect(idsOf((await acme.get(`${url}&vendor=a.com`)).text)).toEqual([])
    expect(idsOf((await acme.get(`${url}&from=2020-01-01&to=2021-01-01`)).text)).toEqual([])
    const bound = await aSpender(app, acme, agentId)
    expect(idsOf((await bound.get(url)).text)).toEqual([two])
  })

  test('is sorted so only where all of it is pending', async () => {
    const { agentId } = await anActiveMandate(acme, ASKS)
    const spender = await aSpender(app, acme, agentId)
    bodyOf(await decideOn(await anApprover(app, acme), await askFor(spender, agentId)))
    const id = await askFor(spender, agentId, { amount: 11 })
    expect(idsOf((await acme.get('/approvals?sort=expiresAt')).text)).toEqual([id])
    const { status, body } = await acme.get('/approvals?sort=expiresAt&status=used')
    expect([status, body.errors[0]?.path]).toEqual([400, '/sort'])
  })
})
