import { afterEach, describe, expect, test } from 'vitest'
import { Problem } from '../../src/base/errors.ts'
import { toPublicId } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import type { Submission } from '../../src/gateway/submission.ts'
import type { Statement } from '../../src/storage/engine/database.ts'
import { units } from '../core/desk.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, shareGateway } from '../support/path-gateway.ts'
import { budgetOf, readTransaction } from '../support/spends.ts'

const OPEN = Number.POSITIVE_INFINITY
const FAR_FUTURE = Date.parse('9000-01-01T00:00Z')

describe('the gateway', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  shareGateway(async (scene) => {
    ;({ app, acme, gateway } = scene)
    await app.rows('create table notes (transaction_id uuid primary key, decision text)')
  })
  afterEach(() => {
    app.clock.now = undefined
  })

  /** A spend whose path notes it down, or tries to. */
  function anAttempt(
    agentId: string,
    changes: Partial<Submission['spend']> = {},
    alongside?: (id: string, decision: string) => Statement,
  ): Submission {
    const more: Partial<Submission> = {
      alongside: ({ id, decision }) => [(alongside ?? note)(id, decision)],
    }
    return aSubmission(acme, agentId, changes, more)
  }

  const note = (id: string, decision: string): Statement => ({
    name: 'note',
    text: 'insert into notes values ($1, $2)',
    values: [id, decision],
  })
  const noteNothing = (): Statement => note('00000000-0000-0000-0000-00000000000g', '')
  const notedAs = async ({ spend }: Submission) => {
    const text = 'select decision from notes where transaction_id = $1'
    const [row] = await app.rows<{ decision: string }>(text, [spend.transactionId])
    return row?.decision
  }
  const isNoted = async (attempt: Submission) => (await notedAs(attempt)) !== undefined
  const aKey = (agentId: string, key: string) => anIdempotencyKey(agentId, key)
  const isStored = async ({ spend }: Submission) =>
    (await app.rows('select 1 from transactions where id = $1', [spend.transactionId])).length === 1

  test('stores what a path keeps together with an approval', async () => {
    const { agentId } = await anActiveMandate(acme)
    const attempt = anAttempt(agentId)
    expect((await gateway.decide(attempt)).decision).toBe('approved')
    expect([await isStored(attempt), await notedAs(attempt)]).toEqual([true, 'approved'])
  })

  test('stores what a path keeps together with a rejection', async () => {
    const { agentId } = await anActiveMandate(acme)
    const attempt = anAttempt(agentId, { amount: units(101) })
    expect((await gateway.decide(attempt)).decision).toBe('rejected')
    expect([await isStored(attempt), await notedAs(attempt)]).toEqual([true, 'rejected'])
  })

  test('stores it once for a repeated Idempotency-Key', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const idempotency = aKey(agentId, 'once')
    const [first, second] = [anAttempt(agentId), anAttempt(agentId)]
    const outcomes = await Promise.all(
      [first, second].map((attempt) => gateway.decide({ ...attempt, idempotency })),
    )
    const late = anAttempt(agentId)
    outcomes.push(await gateway.decide({ ...late, idempotency }))
    expect(outcomes.map((outcome) => outcome.id)).toEqual(Array(3).fill(first.spend.transactionId))
    expect([await isNoted(first), await isNoted(second), await isNoted(late)]).toEqual([
      true,
      false,
      false,
    ])
    expect(await budgetOf(acme, id)).toEqual([10, 0, 90])
  })

  test('takes the approval back when it cannot be stored, and harms no other of the batch', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const idempotency = aKey(agentId, 'broken')
    const before = anAttempt(agentId)
    const broken = { ...anAttempt(agentId, {}, noteNothing), idempotency }
    const after = anAttempt(agentId)
    const results = await Promise.allSettled(
      [before, broken, after].map((attempt) => gateway.decide(attempt)),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect([await isStored(broken), await isNoted(before), await isNoted(after)]).toEqual([
      false,
      true,
      true,
    ])
    expect(await budgetOf(acme, id)).toEqual([20, 0, 80])
    expect(await gateway.recall(acme.organizationId, idempotency)).toBeUndefined()
  })

  test('never gives an open hold back by itself', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const [open, timed] = [{ holdMs: OPEN }, { holdMs: 60_000 }]
    const held = await gateway.decide(anAttempt(agentId, open))
    await gateway.decide(anAttempt(agentId, timed))
    expect(await budgetOf(acme, id)).toEqual([20, 20, 80])
    app.clock.now = FAR_FUTURE
    await gateway.releaseOverdue(acme.organizationId)
    app.clock.now = undefined
    expect(await budgetOf(acme, id)).toEqual([10, 10, 90])
    const transaction = await readTransaction(acme, toPublicId('txn', held.id))
    expect(transaction).toMatchObject({ status: 'held', expiresAt: null, heldAmount: 10 })
  })

  test('lets nobody but its path end an open hold', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { organizationId } = acme
    const [first, second] = [
      await gateway.decide(anAttempt(agentId, { holdMs: OPEN })),
      await gateway.decide(anAttempt(agentId, { holdMs: OPEN })),
    ]
    const end = (outcome: { id: string }, how: 'settle' | 'void', by: 'caller' | 'path') =>
      app.database.db.transaction((tx) => {
        const place = { tx, organizationId, id: outcome.id }
        if (how === 'void') return gateway.void(place, by)
        return gateway.settle(place, { amount: undefined, afterExpiry: true, by })
      })
    for (const how of ['settle', 'void'] as const) {
      const refusal = await end(first, how, 'caller').catch((error: unknown) => error)
      expect(refusal instanceof Problem && refusal.code).toBe('transaction_state')
    }
    expect(await budgetOf(acme, id)).toEqual([20, 20, 80])
    expect((await end(first, 'settle', 'path'))?.status).toBe('settled')
    expect((await end(second, 'void', 'path'))?.status).toBe('voided')
    expect(await budgetOf(acme, id)).toEqual([10, 0, 90])
  })
})
