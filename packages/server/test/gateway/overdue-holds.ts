import { toUuid } from '../../src/core/id.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { copyRows } from '../support/copy-rows.ts'
import { seed } from '../support/seed.ts'
import { aHold, endHolds } from '../support/spends.ts'

/** Holds that are over; all were approved by the gateway, and most are copies of the first one. */
export async function overdueHolds(app: TestApp, owner: Owner, agentId: string, count: number) {
  const { transactionId } = await aHold(owner, agentId, 1)
  const id = toUuid('txn', transactionId)
  await seed(
    app,
    copyRows(
      'transactions',
      `jsonb_build_object('id', gen_random_uuid())`,
      'generate_series(2, $2)',
      'r.id = $1',
    ),
    [id, count],
  )
  await app.rows(
    `update mandates set budget_spent = budget_spent + $2, budget_held = budget_held + $2
     where agent_id = $1`,
    [agentId, (count - 1) * 1e6],
  )
  await endHolds(app, agentId)
}
