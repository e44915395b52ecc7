import type { Tx } from '../engine/database.ts'

/**
 * For the rest of the transaction, the server keeps the generic plans of prepared statements. It
 * would otherwise plan each small batch again, because for few spends it expects a custom plan to
 * be cheaper, and planning then takes longer than everything else. A kept plan may be older than
 * most rows, so sequential scans are off: a plan made for a small table must not scan a large one.
 * JIT compilation never pays for such a plan.
 *
 * The statement also reads the number of spending stops (storage/stops.ts, ADR 50). A batch must
 * know it before it reads anything that a stop changes, so this is the first statement of a batch.
 */
export async function beginBatch(tx: Tx, organizationId: string): Promise<bigint> {
  const [row] = await tx.query<{ stops: bigint }>({
    name: 'begin-batch',
    text: `select stops, set_config('plan_cache_mode', 'force_generic_plan', true),
                  set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)
           from event_feeds where organization_id = $1`,
    values: [organizationId],
  })
  if (!row) throw new Error('An organization has no feed.')
  return row.stops
}
