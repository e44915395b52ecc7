import { expect, test } from 'vitest'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import { someCard } from '../core/desk.ts'
import type { Owner } from '../support/app.ts'
import {
  type ApprovalBody,
  anApprover,
  aSpender,
  askFor,
  decideOn,
  endApprovals,
  readApproval,
} from '../support/approvals.ts'
import { anActiveMandate, bodyOf, HOUR_MS } from '../support/builders.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, createPathGateway } from '../support/path-gateway.ts'
import { aMember } from '../support/people.ts'
import { readTransaction } from '../support/spends.ts'
import { withTimeEnough } from '../support/time-enough.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Flow, FlowStage } from './stage.ts'

const ASKS = {
  rules: [
    { type: 'approval', above: 5 },
    { type: 'new_vendor', effect: 'require_approval' },
  ],
}
const CARD = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b77'

/** Somebody says yes to what the agent asks; gives the id of the first approval. */
async function approveAll({ app }: FlowStage, acme: Owner, agentId: string): Promise<string> {
  const approver = await anApprover(app, acme)
  const list = `/approvals?status=pending&agentId=${agentId}&vendor=api.openai.com`
  const ids = JSON.parse((await approver.get(list)).text).data.map(({ id }: ApprovalBody) => id)
  for (const id of ids) bodyOf(await decideOn(approver, id))
  return toUuid('apr', ids[0] ?? '') ?? ''
}

/** Spends that need a person. */
export const approvalsFlow: Flow = (stage) => {
  test('a spend asks, another joins, and what was approved is used once', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme, ASKS)
    const gateway = createPathGateway(app, db)
    const asked = await gateway.decide(aSubmission(acme, agentId))
    const joined = await gateway.decide(aSubmission(acme, agentId))
    expect([asked.code, joined.code]).toEqual(['approval_required', 'approval_required'])
    const permit = { id: await approveAll(stage(), acme, agentId) }
    const used = await gateway.decide(aSubmission(acme, agentId, {}, { permit }))
    const again = await gateway.decide(aSubmission(acme, agentId, {}, { permit }))
    expect([used.code, again.code]).toEqual(['approved', 'approval_required'])
    const approval = await readApproval(acme, toPublicId('apr', permit.id))
    expect(approval).toMatchObject({ status: 'used', alike: 2, decisions: [{}] })
    const transaction = await readTransaction(acme, toPublicId('txn', used.id))
    expect(transaction.approvalId).toBe(toPublicId('apr', permit.id))
    await gateway.stop()
  })

  test('with four eyes another member answers than the one who asked', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const [ada, bob] = [await aMember(app, acme), await aMember(app, acme, { role: 'approver' })]
    bodyOf(await ada.patch('/api/v1/organization', { requireFourEyes: true }))
    const { agentId } = await anActiveMandate(acme, ASKS)
    const made = await ada.post('/api/v1/api-keys', { name: 'Ada', agentIds: [agentId] })
    const id = await askFor(app.client(bodyOf(made).apiKey), agentId)
    const url = `/api/v1/approvals/${id}/decision`
    const queue = await bob.get('/api/v1/approvals?status=pending&sort=expiresAt')
    const row = { id, mayDecide: true, requestedBy: { kind: 'key', name: 'Ada' } }
    expect(bodyOf(queue).data).toMatchObject([row])
    const body = { amount: 11, vendor: 'a.com', category: 'llm', agentId }
    bodyOf(await ada.post('/api/v1/gateway/evaluate', body))
    const asked = bodyOf(await ada.get('/api/v1/approvals')).data
    expect(asked).toMatchObject([{ requestedBy: { kind: 'member', id: ada.id } }, { id }])
    const soonest = `/api/v1/approvals?status=pending&sort=expiresAt&agentId=${agentId}&limit=1`
    const first = bodyOf(await bob.get(soonest))
    expect(first).toMatchObject({ data: [row], total: 2 })
    const second = bodyOf(await bob.get(`${soonest}&cursor=${first.nextCursor}`))
    expect(second).toMatchObject({ data: [{ id: asked[0]?.id }], total: 2, hasMore: false })
    expect((await ada.post(url, { decision: 'approve' })).body.code).toBe('four_eyes_required')
    bodyOf(await bob.post(url, { decision: 'approve' }))
  })

  test('a card finds what was approved for it', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme, ASKS)
    const gateway = createPathGateway(app, db)
    const purchase = { path: 'card', card: someCard({ cardId: CARD }) } as const
    const noted = { external: { connectionId: toPublicId('conn', CARD) }, flags: [] }
    const ask = async () => {
      const more = { permit: { alike: true }, noted } as const
      return (await gateway.decide(aSubmission(acme, agentId, purchase, more))).code
    }
    const first = await ask()
    await approveAll(stage(), acme, agentId)
    expect([first, await ask(), await ask()]).toEqual([
      'approval_required',
      'approved',
      'approval_required',
    ])
    await gateway.stop()
  })

  test('what was used by a decision that is taken back can be used again', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme, ASKS)
    const asking = createPathGateway(app, db)
    await asking.decide(aSubmission(acme, agentId))
    const permit = { id: await approveAll(stage(), acme, agentId) }
    await asking.stop()
    await withTimeEnough(async (withinMs) => {
      const answerBy = performance.now() + withinMs
      // The deadline passes right after the commit, whose answer is kept back until then.
      const slow: typeof db = {
        ...db,
        transaction: async (run, afterwards) =>
          db.transaction(run, async (session, isCommitted) => {
            while (afterwards && performance.now() < answerBy);
            await afterwards?.(session, isCommitted)
          }),
      }
      const gateway = createPathGateway(app, slow)
      const idempotency = anIdempotencyKey(agentId, `late-${withinMs}`)
      const more = { idempotency, answerBy, permit }
      const submission = aSubmission(acme, agentId, { holdMs: HOUR_MS }, more)
      expect((await gateway.decide(submission)).code).toBe('deadline_passed')
      await gateway.stop()
      const stored = await readTransaction(acme, toPublicId('txn', submission.spend.transactionId))
      return stored.status === 'voided' ? stored : undefined
    })
    const gateway = createPathGateway(app, db)
    const used = await gateway.decide(aSubmission(acme, agentId, {}, { permit }))
    expect(used.code).toBe('approved')
    await gateway.stop()
  })

  test('whoever waits for a person is told when one has decided', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme, ASKS)
    const spender = await aSpender(app, acme, agentId)
    const id = await askFor(spender, agentId)
    const waiting = spender.get(`/approvals/${id}?wait=60`)
    bodyOf(await decideOn(await anApprover(app, acme), id, 'reject'))
    expect(bodyOf(await waiting).status).toBe('rejected')
  })

  test('what nobody answers in time is told as expired', async () => {
    const { app } = stage()
    const acme = await app.organization()
    bodyOf(await acme.patch('/organization', { webhookEvents: ['approval.decided'] }))
    const { agentId } = await anActiveMandate(acme, ASKS)
    await askFor(acme, agentId)
    await endApprovals(app, agentId)
    await waitUntil(async () => {
      const { data } = bodyOf(await acme.get('/events?event=approval.decided'))
      return data.length === 1
    })
  })
}
