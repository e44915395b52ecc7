import { expect, test } from 'vitest'
import { removeOldDeliveries } from '../../src/paths/x402/storage/deliveries.ts'
import { removeExpiredCounters } from '../../src/storage/decisions/read-accounts.ts'
import { createClock } from '../../src/storage/engine/clock.ts'
import { removeExpiredAnswers } from '../../src/storage/idempotency.ts'
import { anActiveMandate, DAY_MS } from '../support/builders.ts'
import { evaluate } from '../support/spends.ts'
import type { Flow } from './stage.ts'

/** What a gateway does at its leisure. It comes last, because it takes away what others have made. */
export const upkeepFlow: Flow = (stage) => {
  test('what is past its time is removed', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const rules = [{ type: 'limit', maxCount: 5, window: 'day' }]
    const { agentId } = await anActiveMandate(acme, { rules })
    await evaluate(acme, agentId, {}, { 'idempotency-key': 'once' })
    const later = Date.now() + 60 * DAY_MS
    expect(await removeExpiredAnswers(db, later)).toBeGreaterThan(0)
    expect(await removeExpiredCounters(db, later)).toBeGreaterThan(0)
    await removeOldDeliveries(db, later)
    for (const table of ['idempotency_keys', 'limit_counters']) {
      expect(await app.rows(`select 1 from ${table}`)).toEqual([])
    }
    expect(await app.rows('select 1 from x402_payments where delivery is not null')).toEqual([])
  })

  test('the clock of the database is the one that decides', async () => {
    const { app, db } = stage()
    const { read } = await createClock(db)
    const [before, now] = [await read(db), await read(db)]
    const [row] = await app.rows<{ after: number }>('select clock_timestamp() as after')
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(row?.after ?? 0)
  })
}
