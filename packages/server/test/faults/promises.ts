import { expect } from 'vitest'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { FaultStage, Spender, Told } from './stage.ts'

/**
 * Checks what holds after any fault: no budget is overspent, each answered spend is stored once with
 * the answered decision, and each event is delivered once:
 * a second delivery follows only an attempt that failed, because the receiver answered too late.
 */
export async function expectPromises(
  stage: FaultStage,
  spenders: readonly Spender[],
): Promise<void> {
  for (const spender of spenders) {
    await expectBudget(stage, spender)
    const own = stage.told.filter(({ organizationId }) => organizationId === spender.organizationId)
    await expectStored(stage, spender, own)
  }
  await expectDeliveries(stage, spenders)
}

async function expectBudget(
  { outside }: FaultStage,
  { organizationId, mandateId }: Spender,
): Promise<void> {
  const [row] = await outside.query<{ spent: bigint; total: bigint; approved: bigint }>({
    text: `
      select m.budget_spent + m.budget_held as spent, m.budget_total as total,
             (select coalesce(sum(t.amount), 0)::bigint from transactions t
              where t.organization_id = $1 and t.mandate_id = m.id and t.decision = 'approved')
               as approved
      from mandates m where m.organization_id = $1 and m.id = $2`,
    values: [organizationId, toUuid('mnd', mandateId)],
  })
  expect(row?.approved).toBe(row?.spent)
  expect(row?.approved).toBeLessThanOrEqual(row?.total ?? 0n)
}

async function expectStored(
  { outside }: FaultStage,
  { organizationId }: Spender,
  told: readonly Told[],
): Promise<void> {
  const rows = await outside.query<{ id: string; decision: string }>({
    text: 'select id, decision from transactions where organization_id = $1',
    values: [organizationId],
  })
  const stored = new Map(rows.map(({ id, decision }) => [id, decision]))
  // Each Idempotency-Key has one transaction, and each transaction was answered to a client.
  expect(stored.size).toBe(told.length)
  for (const { transactionId, decision } of told) {
    expect(stored.get(toUuid('txn', transactionId) ?? '')).toBe(decision)
  }
}

async function expectDeliveries(
  { outside, receiver }: FaultStage,
  spenders: readonly Spender[],
): Promise<void> {
  for (const { organizationId } of spenders) {
    const values = [organizationId]
    const queued = {
      text: 'select 1 from webhook_queue where organization_id = $1 limit 1',
      values,
    }
    await waitUntil(async () => (await outside.query(queued)).length === 0)
    const rows = await outside.query<DeliveryRow>({ text: DELIVERIES, values })
    for (const { id, succeeded, failed } of rows) {
      const eventId = toPublicId('evt', id)
      const times = receiver.received.filter(({ headers }) => headers['webhook-id'] === eventId)
      expect({ eventId, succeeded }).toEqual({ eventId, succeeded: 1 })
      // On a busy machine the receiver may answer too late: that attempt failed, and the retry is due.
      expect(times.length).toBeGreaterThanOrEqual(1)
      expect(times.length).toBeLessThanOrEqual(succeeded + failed)
    }
  }
}

interface DeliveryRow {
  readonly id: string
  readonly succeeded: number
  readonly failed: number
}

const DELIVERIES = `
  select e.id, count(*) filter (where a.outcome = 'succeeded')::int as succeeded,
         count(*) filter (where a.outcome = 'failed')::int as failed
  from webhook_events e
  left join webhook_attempts a on a.organization_id = e.organization_id and a.delivery_id = e.id
  where e.organization_id = $1 group by e.id`
