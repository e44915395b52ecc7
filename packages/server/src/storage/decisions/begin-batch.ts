import type { Tx } from '../engine/database.ts'

/**
 * For the rest of the transaction, plans of prepared statements are kept whatever is asked. The server
 * would plan anew for each small batch, because for few spends it expects a plan that is made for them to
 * be cheaper; planning takes longer than all else then. A plan that is kept may be older than most rows, so
 * none may read a whole table because that was small. Compiling such a plan never pays.
 *
 * It also reads how often spending was stopped (storage/stops.ts). That must be known before anything is read
 * that a stop changes, so this is the first statement of a batch.
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
