import { afterAll, beforeAll, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import {
  type Client,
  createTestApp,
  joinTestApp,
  type Owner,
  type TestApp,
} from '../support/app.ts'
import {
  anApprover,
  approvedFor,
  aSpender,
  askFor,
  decideOn,
  endApprovals,
  readApproval,
} from '../support/approvals.ts'
import { audit } from '../support/audit.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { countLockWaits, STAYS_OPEN } from '../support/row-lock.ts'
import { budgetOf, type Evaluated, evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

const ASKS = { type: 'approval', above: 5 }
const ROUNDS = 5

/** Two processes on one database. */
describeOnPostgres('two at once', () => {
  let here: TestApp
  let there: TestApp
  let acme: Owner
  let approvers: readonly [Client, Client]

  beforeAll(async () => {
    here = await createTestApp('postgres')
    there = await joinTestApp(here)
    acme = await here.organization()
    const [first, second] = [await anApprover(here, acme), await anApprover(here, acme)]
    approvers = [first, there.client(second.apiKey)]
  })
  afterAll(async () => {
    const broken = await audit(here.database.db)
    await there.stop()
    await here.stop()
    expect(broken).toEqual([])
  })

  /** An agent that asks, and its key in each of the two processes. */
  async function asking() {
    const mandate = await anActiveMandate(acme, { rules: [ASKS] })
    const spender = await aSpender(here, acme, mandate.agentId)
    const elsewhere = there.client(spender.apiKey)
    return { agentId: mandate.agentId, mandate, spender, elsewhere, approver: approvers[0] }
  }
  const codesOf = (answers: readonly Evaluated[]) =>
    answers.map(({ evaluationDetails }) => evaluationDetails.code).sort()
  const rounds = async (run: () => Promise<void>) => {
    for (let round = 0; round < ROUNDS; round += 1) await run()
  }

  test('who approve and reject: the first decision stands', () =>
    rounds(async () => {
      const { agentId, spender } = await asking()
      const id = await askFor(spender, agentId)
      const answers = await Promise.all([
        decideOn(approvers[0], id, 'approve'),
        decideOn(approvers[1], id, 'reject'),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const winner = answers.find(({ status }) => status === 200)
      const { status, decisions } = await readApproval(acme, id)
      expect(status).toBe(winner?.body.status)
      expect(decisions).toHaveLength(1)
    }))

  test('who decide about several in opposite orders: each is decided once', () =>
    rounds(async () => {
      const { agentId, spender } = await asking()
      const [a, b] = [await askFor(spender, agentId), await askFor(spender, agentId, { amount: 6 })]
      await Promise.all([
        decideOn(approvers[0], a, 'approve', { alsoIds: [b] }),
        decideOn(approvers[1], b, 'reject', { alsoIds: [a] }),
      ])
      for (const id of [a, b]) expect((await readApproval(acme, id)).decisions).toHaveLength(1)
    }))

  test('who use an approval: one passes', () =>
    rounds(async () => {
      const all = await asking()
      const { agentId, mandate, spender, elsewhere } = all
      const approvalId = await approvedFor(all, agentId)
      const clients = [spender, elsewhere, spender, elsewhere]
      const answers = await Promise.all(
        clients.map((client) => evaluate(client, agentId, { approvalId })),
      )
      const asked = 'approval_required'
      expect(codesOf(answers)).toEqual([asked, asked, asked, 'approved'])
      expect(await budgetOf(acme, mandate.id)).toEqual([10, 0, 90])
    }))

  test('of which one uses an approval and one lets it end: it is used or over, never both', () =>
    rounds(async () => {
      const all = await asking()
      const { agentId, mandate, spender } = all
      const approvalId = await approvedFor(all, agentId)
      const [used] = await Promise.all([
        evaluate(spender, agentId, { approvalId }),
        endApprovals(here, agentId),
      ])
      const { code } = used.evaluationDetails
      expect(['approved', 'approval_expired']).toContain(code)
      const [spent] = await budgetOf(acme, mandate.id)
      expect(spent).toBe(code === 'approved' ? 10 : 0)
      const { status } = await readApproval(acme, approvalId)
      expect(status).toBe(code === 'approved' ? 'used' : 'expired')
    }))

  test('of which one waits for an approval that ends meanwhile: it is over', async () => {
    const all = await asking()
    const { agentId, mandate, spender } = all
    const approvalId = await approvedFor(all, agentId)
    const { db } = here.database
    const values = [toUuid('apr', approvalId)]
    let used: Promise<Evaluated> | undefined
    await db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      await tx.query({ text: 'select 1 from approvals where id = $1 for update', values })
      used = evaluate(spender, agentId, { approvalId })
      await waitUntil(async () => (await countLockWaits(db)) > 0)
      const text = 'update approvals set expires_at = clock_timestamp() where id = $1'
      await tx.query({ text, values })
    })
    expect((await used)?.evaluationDetails.code).toBe('approval_expired')
    expect(await budgetOf(acme, mandate.id)).toEqual([0, 0, 100])
  })

  test('of which one uses an approval and one changes the rule: it lifts only the rule as it was', () =>
    rounds(async () => {
      const all = await asking()
      const { agentId, mandate, spender } = all
      const approvalId = await approvedFor(all, agentId)
      const rules = [{ ...ASKS, above: 4 }]
      const [used, changed] = await Promise.all([
        evaluate(spender, agentId, { approvalId }),
        acme.patch(`/mandates/${mandate.id}`, { rules }),
      ])
      bodyOf(changed)
      const { mandateVersion, code } = used.evaluationDetails
      expect(code).toBe(mandateVersion === 1 ? 'approved' : 'approval_required')
    }))

  test('of twenty who ask for the same: there is one request, and it counts them all', async () => {
    const { agentId, spender, elsewhere } = await asking()
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        askFor(index % 2 === 0 ? spender : elsewhere, agentId),
      ),
    )
    expect(new Set(ids).size).toBe(1)
    expect((await readApproval(acme, ids[0] ?? '')).alike).toBe(20)
  })

  test('of which one decides and one waits in the other process: it is told', async () => {
    const { agentId, spender, elsewhere } = await asking()
    const id = await askFor(spender, agentId)
    const waiting = elsewhere.get(`/approvals/${id}?wait=60`)
    bodyOf(await decideOn(approvers[0], id))
    expect(bodyOf(await waiting).status).toBe('approved')
  })
})
