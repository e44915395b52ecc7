import type { Queryable } from '../engine/queryable.ts'

/**
 * Lets this transaction move and create triggers on distributed tables. Citus refuses them by default,
 * because a trigger that reads or writes other tables can deadlock or miss rows there. Ours only raise
 * an error (ADR 64). Without Citus the setting has no effect.
 */
export async function allowTriggers(tx: Queryable): Promise<void> {
  await tx.query({ text: 'set local citus.enable_unsafe_triggers = on' })
}
