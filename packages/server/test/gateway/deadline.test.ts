import { afterEach, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import type { Submission } from '../../src/gateway/submission.ts'
import type { Statement } from '../../src/storage/engine/database.ts'
import { units } from '../core/desk.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { backtest } from '../support/backtests.ts'
import { anActiveMandate, HOUR_MS } from '../support/builders.ts'
import { anIdempotencyKey } from '../support/idempotency-key.ts'
import { aSubmission, shareGateway } from '../support/path-gateway.ts'
import { STAYS_OPEN } from '../support/row-lock.ts'
import { budgetOf, eventsOf, simulate } from '../support/spends.ts'
import { withTimeEnough } from '../support/time-enough.ts'
import { waitUntil } from '../support/wait-until.ts'

const DECLINED = { decision: 'rejected', status: 'rejected', code: 'deadline_passed' }
const A_LIMIT = [{ type: 'limit', maxAmount: 100, window: 'day' }]

let counter = 0

describe('a spend with a deadline', () => {
  let app: TestApp
  let acme: Owner
  let gateway: Gateway

  shareGateway(async (scene) => {
    ;({ app, acme, gateway } = scene)
    await app.rows('create table notes (id uuid primary key, decision text)')
  })
  afterEach(() => {
    app.clock.now = undefined
  })

  /** A hold over 10 that is to be answered within so many milliseconds. */
  function aHold(agentId: string, withinMs: number, more: Partial<Submission> = {}): Submission {
    const answerBy = performance.now() + withinMs
    const idempotency = anIdempotencyKey(agentId, `request-${counter++}`)
    return aSubmission(acme, agentId, { holdMs: HOUR_MS }, { answerBy, idempotency, ...more })
  }
  const stored = async ({ spend }: Submission) => {
    const text = 'select decision, status, code from transactions where id = $1'
    const [row] = await app.rows(text, [spend.transactionId])
    return row
  }
  /** The same request again, with time enough. */
  const again = (agentId: string, { idempotency }: Submission) =>
    gateway.decide(aHold(agentId, HOUR_MS, { idempotency }))
  const waitUntilStored = (submission: Submission, code: string) =>
    waitUntil(async () => (await stored(submission))?.['code'] === code)
  /** Stops this process, as it were, so that no timer and no answer of the database is heard. */
  const standStill = (until: number) => {
    while (performance.now() < until);
  }

  test('is decided as any other when there is time', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const submission = aHold(agentId, HOUR_MS)
    const first = await gateway.decide(submission)
    expect(first).toMatchObject({ decision: 'approved', status: 'held', isReplay: false })
    expect(await again(agentId, submission)).toMatchObject({ ...toldOf(first), isReplay: true })
    expect(await budgetOf(acme, id)).toEqual([10, 10, 90])
  })

  test('is rejected for what the rules say when there is time', async () => {
    const { agentId } = await anActiveMandate(acme, { rules: [{ type: 'amount', max: 5 }] })
    const decided = await gateway.decide(aHold(agentId, HOUR_MS))
    expect(decided).toMatchObject({ decision: 'rejected', code: 'amount_above_max' })
  })

  test('is declined when its time was over in the queue, and the decline is recorded', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const submission = aHold(agentId, 0)
    const first = await gateway.decide(submission)
    expect(first).toMatchObject({ ...DECLINED, mandateId: null, remainingBudget: 0n })
    await waitUntilStored(submission, 'deadline_passed')
    expect(await stored(submission)).toEqual(DECLINED)
    expect(await again(agentId, submission)).toMatchObject({ ...toldOf(first), isReplay: true })
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
    const kinds = await app.rows('select kind from webhook_events where transaction_id = $1', [
      submission.spend.transactionId,
    ])
    expect(kinds).toEqual([{ kind: 'transaction.rejected' }])
  })

  test('is declined in time while its mandate is locked, and recorded afterwards', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const submission = aHold(agentId, 100)
    const first = await app.database.db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      const values = [toUuid('mnd', id)]
      await tx.query({ text: 'select 1 from mandates where id = $1 for update', values })
      // Only the timer can answer: the lock is held until it has.
      return gateway.decide(submission)
    })
    expect(first).toMatchObject({ ...DECLINED, late: 'slow' })
    await waitUntilStored(submission, 'deadline_passed')
    const repeated = await again(agentId, submission)
    expect(repeated).toMatchObject({ ...toldOf(first), isReplay: true })
    expect(repeated.late).toBeUndefined()
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
  })

  test('is declined when the process stood still between the two round trips', async () => {
    const { agentId, id } = await anActiveMandate(acme, { rules: A_LIMIT })
    const { submission, first } = await withTimeEnough(async (withinMs) => {
      const verdicts: string[] = []
      const answerBy = performance.now() + withinMs
      const submission = aHold(agentId, 0, {
        answerBy,
        alongside: ({ decision }) => {
          verdicts.push(decision)
          standStill(answerBy)
          return []
        },
      })
      const first = await gateway.decide(submission)
      await waitUntilStored(submission, 'deadline_passed')
      return verdicts[0] === 'approved' ? { submission, first } : undefined
    })
    expect(first).toMatchObject(DECLINED)
    expect(await stored(submission)).toEqual(DECLINED)
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
  })

  test('is stored as the decline that its caller was told, where its path refuses it too late', async () => {
    const { agentId } = await anActiveMandate(acme)
    const refused = { refusal: new Error('The path cannot judge it.') }
    const pass = { begin: () => ({ prepare: () => refused }) }
    const reading = { reader: { read: async () => pass }, about: null }
    const answerBy = performance.now() + 500
    const late = aHold(agentId, 0, { answerBy, reading })
    // It is refused in time, and the batch is stored when its time is over.
    const slow = aHold(agentId, HOUR_MS, {
      alongside: () => {
        standStill(answerBy)
        return []
      },
    })
    const [first] = await Promise.all([late, slow].map(gateway.decide))
    expect(first).toMatchObject(DECLINED)
    await waitUntilStored(late, 'deadline_passed')
    expect(await again(agentId, late)).toMatchObject({ code: 'deadline_passed', isReplay: true })
  })

  test('spares the others of its batch', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const answerBy = performance.now() + 500
    const late = aHold(agentId, 0, {
      answerBy,
      alongside: () => {
        standStill(answerBy)
        return []
      },
    })
    const others = [aHold(agentId, HOUR_MS), aSubmission(acme, agentId)]
    const decided = await Promise.all([late, ...others].map(gateway.decide))
    expect(decided.map(({ code }) => code)).toEqual(['deadline_passed', 'approved', 'approved'])
    expect(await budgetOf(acme, id)).toEqual([20, 10, 80])
  })

  /** Makes the commit of whatever it is stored with take its time. */
  async function aSlowCommit(
    seconds: number,
  ): Promise<(id: string, decision: string) => Statement> {
    await app.rows('drop table if exists slow')
    await app.rows('create table slow (id uuid primary key)')
    await app.rows(`create or replace function stall() returns trigger language plpgsql as
                    $$ begin perform pg_sleep(${seconds}); return null; end $$`)
    await app.rows(`create constraint trigger stalls after insert on slow
                    deferrable initially deferred for each row execute function stall()`)
    return (id, decision) =>
      decision === 'approved'
        ? { text: 'insert into slow values ($1)', values: [id] }
        : { text: 'insert into notes values ($1, $2)', values: [id, decision] }
  }

  test('is voided when its approval was committed after its deadline', async () => {
    const { agentId, id } = await anActiveMandate(acme, { rules: A_LIMIT })
    await acme.patch('/organization', { webhookEvents: ['transaction.voided'] })
    const { submission, first } = await withTimeEnough(async (withinMs) => {
      const slowly = await aSlowCommit((withinMs + 300) / 1_000)
      const idempotency = anIdempotencyKey(agentId, `slow-${counter++}`)
      const spend = { holdMs: HOUR_MS, amount: units(90) }
      const answerBy = performance.now() + withinMs
      const alongside: Submission['alongside'] = (row) => [slowly(row.id, row.decision)]
      const more = { idempotency, answerBy, alongside }
      const submission = aSubmission(acme, agentId, spend, more)
      const first = await gateway.decide(submission)
      await waitUntilStored(submission, 'deadline_passed')
      const kept = await stored(submission)
      return kept?.['decision'] === 'approved' ? { submission, first } : undefined
    })
    expect(first).toMatchObject({ ...DECLINED, mandateId: null })
    expect(await stored(submission)).toMatchObject({ decision: 'approved', status: 'voided' })
    const kinds = await app.rows(
      `select kind from webhook_events where transaction_id = $1 and kind like 'transaction.%'
       order by number`,
      [submission.spend.transactionId],
    )
    expect(kinds).toEqual([{ kind: 'transaction.approved' }, { kind: 'transaction.voided' }])
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
    const { next } = (await simulate(acme, agentId, { amount: 1_000 })).evaluationDetails
    expect(next.maxAmountNow).toBe(100)
    expect(await again(agentId, submission)).toMatchObject({ ...toldOf(first), isReplay: true })
    expect(await eventsOf(app, id)).toEqual(['mandate.budget.warning'])
    const report = await backtest(acme, id, { rules: [{ type: 'amount', max: 1 }] })
    expect(report).toMatchObject({ replayed: 0, takenFromRecord: 1, newlyRejected: 0 })
    const text = 'select decision from notes where id = $1'
    expect(await app.rows(text, [submission.spend.transactionId])).toEqual([
      { decision: 'rejected' },
    ])
  })

  test('and its repeats at the same moment are told the same', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const idempotency = anIdempotencyKey(agentId, 'parallel')
    const decided = await Promise.all(
      Array.from({ length: 20 }, () => gateway.decide(aHold(agentId, HOUR_MS, { idempotency }))),
    )
    expect(new Set(decided.map((each) => JSON.stringify(toldOf(each)))).size).toBe(1)
    expect(decided.filter(({ isReplay }) => !isReplay)).toHaveLength(1)
    expect(await budgetOf(acme, id)).toEqual([10, 10, 90])
  })
})

/** Without what only says how it came about. */
function toldOf({ id, decision, status, code, details, mandateId }: TestAnswer): TestAnswer {
  return { id, decision, status, code, details, mandateId }
}

interface TestAnswer {
  readonly id: string
  readonly decision: string
  readonly status: string
  readonly code: string
  readonly details: string
  readonly mandateId: string | null
}
