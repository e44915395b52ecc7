import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import {
  type ApprovalBody,
  anApprover,
  approvedFor,
  aSpender,
  askFor,
  decideOn,
  endApprovals,
  readApproval,
} from '../support/approvals.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { evaluate } from '../support/spends.ts'

const ASKS = { type: 'approval', above: 5, expiresIn: '10m' }
const NO_APPROVAL = 'apr_019a85617c5e7d409b5e6f1f0a3c2b11'

let app: TestApp
let acme: Owner
let approver: Awaited<ReturnType<typeof anApprover>>

beforeAll(async () => {
  app = await createTestApp(undefined, { publicUrl: 'https://purser.example' })
  acme = await app.organization()
  approver = await anApprover(app, acme)
})
afterAll(() => app.stop())

function decidedIn(answer: Answer): DecidedBody {
  bodyOf(answer)
  return JSON.parse(answer.text)
}

interface DecidedBody extends Omit<ApprovalBody, 'permit' | 'decisions'> {
  readonly permit: { readonly maxAmount: number; readonly expiresAt: string } | null
  readonly decisions: readonly { readonly decidedAt: string }[]
  readonly also: readonly object[]
}

async function asking(fields: object = {}) {
  const mandate = await anActiveMandate(acme, { rules: [ASKS], ...fields })
  const spender = await aSpender(app, acme, mandate.agentId)
  return { agentId: mandate.agentId, mandate, spender }
}

describe('a request for a person', () => {
  test('shows everything that is needed to decide', async () => {
    const { id: agentId } = await anAgent(acme, { name: 'Buyer' })
    const { spender } = await asking({ agentId })
    await evaluate(spender, agentId, { amount: 3 })
    await evaluate(spender, agentId, { amount: 2 })
    await evaluate(spender, agentId, { amount: 4, vendor: 'other.com' })
    const spend = { reason: 'The yearly licence', reference: 'po-1', metadata: { team: 'a' } }
    const id = await askFor(spender, agentId, spend)
    await askFor(spender, agentId)
    expect(await readApproval(approver, id)).toMatchObject({
      id,
      status: 'pending',
      agentId,
      agentName: 'Buyer',
      vendor: 'api.openai.com',
      category: 'llm',
      amount: 10,
      currency: 'USD',
      path: 'evaluate',
      ...spend,
      rules: [{ id: 'approval', code: 'approval_required', observed: 10, limit: 5 }],
      history: { count: 2, amount: 5 },
      remainingBudget: 91,
      alike: 2,
      permit: null,
      decisions: [],
      url: `https://purser.example/approvals/${id}`,
    })
  })

  test('shows earlier spends among the last 1,000 transactions, and in a list the last 100', async () => {
    const { agentId, spender } = await asking()
    const id = await askFor(spender, agentId)
    await app.rows(
      `insert into transactions (organization_id, id, agent_id, path, decision, status, code, amount, currency, vendor,
         remaining_budget, details, held_amount, settled_amount, refunded_amount, created_at)
       select organization_id, gen_random_uuid(), agent_id, path, 'approved', 'settled', 'approved', 1000000, currency, vendor,
              0, details, 0, 1000000, 0, created_at
       from transactions cross join generate_series(1, 150) where agent_id = $1`,
      [agentId],
    )
    const page = await acme.get(`/approvals?agentId=${agentId}`)
    const [listed] = JSON.parse(page.text).data
    const count = 150
    expect((await readApproval(approver, id)).history).toMatchObject({ count, amount: count })
    expect(listed.history.count).toBeOneOf([99, 100])
  })

  test('is found by its agent, and by nobody else’s', async () => {
    const { agentId, spender } = await asking()
    const other = await asking()
    const id = await askFor(spender, agentId)
    expect((await readApproval(spender, id)).id).toBe(id)
    expect((await other.spender.get(`/approvals/${id}`)).status).toBe(404)
    const foreign = await app.organization()
    expect((await foreign.get(`/approvals/${id}`)).status).toBe(404)
    expect((await acme.get(`/approvals/${NO_APPROVAL}`)).status).toBe(404)
    const listed = JSON.parse((await spender.get('/approvals')).text)
    expect(listed).toMatchObject({ total: 1, pending: 1, data: [{ id }] })
  })

  test('tells its agent nothing of the mandates above', async () => {
    const parent = await anActiveMandate(acme, { rules: [ASKS], budgetTotal: 20 })
    const { agentId, spender } = await asking({
      rules: [],
      parentMandateId: parent.id,
      budgetTotal: 19,
    })
    const id = await askFor(spender, agentId)
    const whole = await readApproval(approver, id)
    expect(whole.rules).toMatchObject([{ id: `${parent.id}/approval`, observed: 10 }])
    const own = await readApproval(spender, id)
    expect(own.rules).toMatchObject([{ id: 'above/approval', observed: null }])
    expect(own.remainingBudget).toBe(19)
  })

  test('is listed by status, agent, vendor and time', async () => {
    const { agentId, spender } = await asking()
    const [waiting, approved, rejected] = [
      await askFor(spender, agentId),
      await approvedFor({ spender, approver }, agentId, { amount: 11 }),
      await askFor(spender, agentId, { amount: 12, vendor: 'other.com' }),
    ]
    bodyOf(await decideOn(approver, rejected, 'reject'))
    const list = async (query: string) => {
      const { text } = await acme.get(`/approvals?agentId=${agentId}&${query}`)
      return JSON.parse(text).data.map(({ id }: ApprovalBody) => id)
    }
    expect(await list('')).toEqual([rejected, approved, waiting])
    expect(await list('status=pending')).toEqual([waiting])
    expect(await list('status=approved')).toEqual([approved])
    expect(await list('status=rejected')).toEqual([rejected])
    expect(await list('vendor=other.com')).toEqual([rejected])
    expect(await list('to=2020-01-01T00:00:00Z')).toEqual([])
    expect(await list('from=2020-01-01T00:00:00Z&limit=2')).toHaveLength(2)
    await endApprovals(app, agentId)
    expect(await list('status=expired')).toEqual([approved, waiting])
    expect(await list('status=used')).toEqual([])
    expect((await readApproval(acme, waiting)).status).toBe('expired')
  })
})

describe('a decision', () => {
  test('names who, when and why', async () => {
    const { agentId, spender } = await asking()
    const id = await askFor(spender, agentId)
    const decided = decidedIn(await decideOn(approver, id, 'approve', { comment: 'Agreed.' }))
    expect(decided).toMatchObject({
      status: 'approved',
      permit: { maxAmount: 10, usedAt: null, transactionId: null },
      decisions: [
        { decision: 'approve', actor: { kind: 'key', name: 'Approver' }, comment: 'Agreed.' },
      ],
      also: [],
    })
    const [said] = decided.decisions
    const usableMs = Date.parse(`${decided.permit?.expiresAt}`) - Date.parse(`${said?.decidedAt}`)
    expect(usableMs).toBe(15 * 60_000)
  })

  test('stands: whoever decides again learns of the first one', async () => {
    const { agentId, spender } = await asking()
    const id = await askFor(spender, agentId)
    bodyOf(await decideOn(approver, id, 'reject', { comment: 'Too dear.' }))
    const again = await decideOn(approver, id)
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({
      code: 'approval_decided',
      approvalStatus: 'rejected',
      decision: 'reject',
      decidedBy: 'Approver',
      comment: 'Too dear.',
    })
  })

  test('comes too late once the request has expired', async () => {
    const { agentId, spender } = await asking()
    const id = await askFor(spender, agentId)
    await endApprovals(app, agentId)
    const late = await decideOn(approver, id)
    expect(late.body).toMatchObject({ code: 'approval_decided', approvalStatus: 'expired' })
    expect((await readApproval(acme, id)).decisions).toEqual([])
  })

  test('can allow less than was asked for, never more', async () => {
    const { agentId, spender } = await asking()
    const id = await askFor(spender, agentId)
    const more = await decideOn(approver, id, 'approve', { maxAmount: 10.000001 })
    expect(more.body).toMatchObject({ code: 'validation_failed', errors: [{ path: '/maxAmount' }] })
    const less = decidedIn(await decideOn(approver, id, 'approve', { maxAmount: 9 }))
    expect(less.permit?.maxAmount).toBe(9)
  })

  test('about several counts for each by itself', async () => {
    const { agentId, spender } = await asking()
    const [first, second, decided] = [
      await askFor(spender, agentId),
      await askFor(spender, agentId, { amount: 11 }),
      await askFor(spender, agentId, { amount: 12 }),
    ]
    bodyOf(await decideOn(approver, decided, 'reject'))
    const alsoIds = [second, decided, NO_APPROVAL]
    const answer = decidedIn(await decideOn(approver, first, 'approve', { alsoIds }))
    expect(answer.also).toMatchObject([
      { id: second, decided: true, status: 'approved', code: null },
      { id: decided, decided: false, code: 'approval_decided' },
      { id: NO_APPROVAL, decided: false, code: 'approval_not_found' },
    ])
    expect((await readApproval(acme, second)).decisions).toHaveLength(1)
    expect((await readApproval(acme, decided)).status).toBe('rejected')
  })

  test.each([
    ['another than the two', { decision: 'maybe' }],
    ['a comment that is too long', { decision: 'approve', comment: 'a'.repeat(1_001) }],
    ['more than fifty others', { decision: 'approve', alsoIds: Array(51).fill(NO_APPROVAL) }],
    ['an amount for a rejection', { decision: 'reject', maxAmount: 1 }],
    [
      'an amount for several',
      { decision: 'approve', maxAmount: 1, alsoIds: [NO_APPROVAL.replace('apr_0', 'apr_1')] },
    ],
    ['itself once more', { decision: 'approve', alsoIds: [NO_APPROVAL] }],
  ])('is refused with %s', async (_, body) => {
    const { status } = await approver.post(`/approvals/${NO_APPROVAL}/decision`, body)
    expect(status).toBe(400)
  })

  test('is answered again with the same Idempotency-Key', async () => {
    const { agentId, spender } = await asking()
    const id = await askFor(spender, agentId)
    const send = () =>
      approver.post(
        `/approvals/${id}/decision`,
        { decision: 'approve' },
        { 'idempotency-key': `decide ${id}` },
      )
    const first = await send()
    const again = await send()
    expect(bodyOf(first)).toEqual(bodyOf(again))
    expect(again.headers['idempotent-replayed']).toBe('true')
  })
})

describe('whoever asked cannot decide', () => {
  const refused = { status: 403, body: { code: 'approval_own_request' } }

  test('with the same key', async () => {
    const { agentId } = await asking()
    const id = await askFor(acme, agentId)
    expect(await decideOn(acme, id)).toMatchObject(refused)
    bodyOf(await decideOn((await asOwner()).client, id))
  })

  test('with a key that the key has made, however far away', async () => {
    const { agentId } = await asking()
    const asker = await asOwner()
    const child = await aKey(app, asker.client, { name: 'Child' })
    const grandchild = await aKey(app, child.client, { name: 'Grandchild' })
    const id = await askFor(asker.client, agentId)
    expect(await decideOn(child.client, id)).toMatchObject(refused)
    bodyOf(await acme.delete(`/api-keys/${child.key.id}`))
    expect(await decideOn(grandchild.client, id)).toMatchObject(refused)
    bodyOf(await decideOn(approver, id))
  })

  test('with a key that only joined', async () => {
    const { agentId, spender } = await asking()
    const joined = await asOwner()
    const id = await askFor(spender, agentId)
    expect(await askFor(joined.client, agentId)).toBe(id)
    expect(await decideOn(joined.client, id)).toMatchObject(refused)
  })

  test('with a key that is bound to an agent, whatever its scopes', async () => {
    const { agentId, spender } = await asking()
    const { client } = await aKey(app, acme, { agentIds: [agentId], scopes: ['approvals:write'] })
    const id = await askFor(spender, agentId)
    expect((await decideOn(client, id)).body.code).toBe('agent_bound_key')
  })

  test('and no key without the scope can', async () => {
    const { agentId, spender } = await asking()
    const { client } = await aKey(app, acme, { scopes: ['approvals:read', 'gateway:write'] })
    const id = await askFor(spender, agentId)
    expect((await decideOn(client, id)).body.code).toBe('insufficient_scope')
    expect((await readApproval(client, id)).status).toBe('pending')
  })

  /** Another key that may do everything; a key of the operator has made it, and not the owner's. */
  async function asOwner() {
    const made = await aKey(app, acme, { name: 'Another owner' })
    await app.rows(`update api_keys set created_by = 'cli' where id = $1`, [made.key.id.slice(4)])
    return made
  }
})
