import { describe, expect, test } from 'vitest'
import type { Target } from '../../src/core/decision/target.ts'
import { toPublicId } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import type { Submission } from '../../src/gateway/submission.ts'
import { someCard, units } from '../core/desk.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf, HOUR_MS } from '../support/builders.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, shareGateway } from '../support/path-gateway.ts'
import { budgetOf, readTransaction, simulate } from '../support/spends.ts'
import { withTimeEnough } from '../support/time-enough.ts'
import { waitUntil } from '../support/wait-until.ts'

const NOTHING: Target = { held: 0n, captured: 0n, refunded: 0n, end: 'voided', flags: [] }
const CHECK = { path: 'card', amount: 0n, holdMs: Number.POSITIVE_INFINITY } as const

describe('a check of a card that is stored', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  shareGateway(async (scene) => {
    ;({ app, acme, gateway } = scene)
    const kinds = ['transaction.approved', 'transaction.settled', 'transaction.voided']
    bodyOf(await acme.patch('/organization', { webhookEvents: kinds }))
  })

  let counter = 0
  /** A check that is to be answered within so many milliseconds. */
  function aCheck(agentId: string, withinMs: number, more: Partial<Submission> = {}): Submission {
    const idempotency = anIdempotencyKey(agentId, `check-${counter++}`)
    const answerBy = performance.now() + withinMs
    const spend = { ...CHECK, card: someCard() }
    return aSubmission(acme, agentId, spend, { idempotency, answerBy, ...more })
  }
  const adjust = (id: string, target: Target) =>
    app.database.db.transaction((tx) =>
      gateway.adjust({ tx, organizationId: acme.organizationId }, new Map([[id, target]])),
    )
  const eventsOf = (id: string) =>
    app.rows<{ kind: string }>(
      'select kind from webhook_events where transaction_id = $1 order by number',
      [id],
    )

  test('is settled with nothing, in no budget, and told as such', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    const submission = aCheck(agentId, HOUR_MS)
    const { id, status } = await gateway.decide(submission)
    expect(status).toBe('settled')
    const shown = { amount: 0, status: 'settled', heldAmount: 0, settledAmount: 0, flags: [] }
    expect(await readTransaction(acme, toPublicId('txn', id))).toMatchObject(shown)
    expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 100])
    const { data } = bodyOf(await acme.get('/events'))
    const transactionId = toPublicId('txn', id)
    const told = expect.objectContaining({ transactionId, amount: 0, status: 'settled' })
    expect(data).toContainEqual(expect.objectContaining({ data: told }))
    const csv = await acme.get(`/transactions/export?format=csv&agentId=${agentId}`)
    expect(csv.text.split('\n')[1]).toContain(',card,api.openai.com,llm,0,USD,approved,settled,')
    const { idempotency } = submission
    const again = await gateway.decide(aCheck(agentId, HOUR_MS, { idempotency }))
    expect(again).toMatchObject({ id, status: 'settled', isReplay: true })
  })

  test('is counted by no limit, and makes no vendor known, also where rules come later', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    await gateway.decide(aCheck(agentId, HOUR_MS))
    const number = { type: 'limit', id: 'number', maxCount: 5, window: 'period' }
    const rules = [number, { type: 'new_vendor', id: 'new', effect: 'flag' }]
    bodyOf(await acme.patch(`/mandates/${mandateId}`, { rules }))
    await gateway.decide(aCheck(agentId, HOUR_MS))
    const { evaluationDetails } = await simulate(acme, agentId, { amount: 1 })
    expect(evaluationDetails.rules).toMatchObject([
      { id: 'number', observed: 1 },
      { id: 'new', outcome: 'flag' },
      { id: 'budget' },
    ])
  })

  test('stays settled whatever its issuer tells of it, unless money moved', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    const { id } = await gateway.decide(aCheck(agentId, HOUR_MS))
    expect(await adjust(id, NOTHING)).toEqual([])
    await adjust(id, { ...NOTHING, captured: units(7) })
    expect(await budgetOf(acme, mandateId)).toEqual([7, 0, 93])
    await adjust(id, NOTHING)
    expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 100])
    const { status, settledAmount } = await readTransaction(acme, toPublicId('txn', id))
    expect([status, settledAmount]).toEqual(['settled', 0])
  })

  test('cannot be refunded', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { id } = await gateway.decide(aCheck(agentId, HOUR_MS))
    const answer = await acme.post(`/transactions/${toPublicId('txn', id)}/refund`)
    expect([answer.status, answer.body.code]).toEqual([409, 'transaction_state'])
  })

  test('is taken back when it was stored after its deadline', async () => {
    const { agentId } = await anActiveMandate(acme)
    const submission = await withTimeEnough(async (withinMs) => {
      await app.rows('drop table if exists slow')
      await app.rows('create table slow (id uuid primary key)')
      await app.rows(`create or replace function stall() returns trigger language plpgsql as
                      $$ begin perform pg_sleep(${(withinMs + 300) / 1_000}); return null; end $$`)
      await app.rows(`create constraint trigger stalls after insert on slow
                      deferrable initially deferred for each row execute function stall()`)
      const alongside: Submission['alongside'] = ({ id, decision }) =>
        decision === 'approved' ? [{ text: 'insert into slow values ($1)', values: [id] }] : []
      const late = aCheck(agentId, withinMs, { alongside })
      expect((await gateway.decide(late)).code).toBe('deadline_passed')
      const text = 'select decision, status, code from transactions where id = $1'
      const stored = () => app.rows<Stored>(text, [late.spend.transactionId])
      await waitUntil(async () => (await stored())[0]?.code === 'deadline_passed')
      const [row] = await stored()
      return row?.decision === 'approved' ? { ...late, row } : undefined
    })
    const { spend, row, idempotency } = submission
    expect(row.status).toBe('voided')
    const told = [{ kind: 'transaction.approved' }, { kind: 'transaction.voided' }]
    expect(await eventsOf(spend.transactionId)).toEqual(told)
    const again = await gateway.decide(aCheck(agentId, HOUR_MS, { idempotency }))
    expect(again).toMatchObject({ decision: 'rejected', code: 'deadline_passed', isReplay: true })
  })
})

interface Stored {
  readonly decision: string
  readonly status: string
  readonly code: string
}
