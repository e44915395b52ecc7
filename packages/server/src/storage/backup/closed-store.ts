import { allowTriggers } from '../distributed/allow-triggers.ts'
import type { Tx } from '../engine/database.ts'
import { listTables, quoted } from './catalog.ts'
import { clearStoreState, type StoreState, setStoreState } from './store-state.ts'

const TRIGGER = 'store_is_closed'

/**
 * Tables that stay writable, so that people can sign in and read: no money and no change depends on
 * them. A backtest only reads, and takes its lease here.
 */
const WRITABLE = new Set(['sessions', 'sign_in_attempts', 'sign_in_notes', 'backtests'])

/** A decision writes these first, so that the others are free once these are locked. */
const FIRST = ['mandates', 'transactions', 'idempotency_keys']

interface RefusedWrites {
  readonly table: string
  readonly writes: string
  /** A condition on the rows `old` and `new`. */
  readonly condition?: string
}

const EVERY_WRITE = 'insert or update or delete'

/**
 * The writes that are refused while the operator holds deliveries. Every attempt of a delivery is
 * stored, and every message is leased, before it is sent. Messages can still be queued, gather news
 * and end.
 */
const HELD: readonly RefusedWrites[] = [
  { table: 'webhook_attempts', writes: EVERY_WRITE },
  {
    table: 'messages',
    writes: 'update',
    condition: 'new.lease_id is not null and new.lease_id is distinct from old.lease_id',
  },
]

/**
 * Closes the store: from the commit on, the database refuses every write, whichever process sends it
 * (ADR 59). Nothing leaves a closed store either, because each webhook, signature and completion is
 * stored before it is sent. The lock waits for transactions that have begun to write.
 */
export async function closeStore(tx: Tx, state: StoreState, note: string): Promise<void> {
  await allowTriggers(tx)
  const tables = await listClosable(tx)
  const names = [...tables].sort((a, b) => placeOf(a) - placeOf(b)).map(quoted)
  await tx.query({ text: `lock table ${names.join(', ')} in share row exclusive mode` })
  for (const table of tables) await refuseWrites(tx, { table, writes: EVERY_WRITE }, state)
  await setStoreState(tx, state, note)
}

/** Opens a closed store. With `holdsDeliveries`, no webhook delivery and no message leaves it yet. */
export async function openStore(tx: Tx, holdsDeliveries = false): Promise<void> {
  await allowTriggers(tx)
  for (const table of await listClosable(tx)) {
    await tx.query({ text: `drop trigger if exists ${TRIGGER} on ${quoted(table)}` })
  }
  if (!holdsDeliveries) return clearStoreState(tx)
  for (const held of HELD) await refuseWrites(tx, held, 'holding')
  const note = 'Webhook deliveries and messages to people wait until the operator releases them.'
  await setStoreState(tx, 'holding', note)
}

async function listClosable(tx: Tx): Promise<string[]> {
  const tables = await listTables(tx)
  return tables.map(({ name }) => name).filter((name) => !WRITABLE.has(name))
}

function placeOf(table: string): number {
  const place = FIRST.indexOf(table)
  return place === -1 ? FIRST.length : place
}

async function refuseWrites(
  tx: Tx,
  { table, writes, condition }: RefusedWrites,
  state: StoreState,
): Promise<void> {
  const when = condition === undefined ? '' : `when (${condition})`
  await tx.query({
    text: `create or replace trigger ${TRIGGER} before ${writes} on ${quoted(table)}
           for each row ${when} execute function refuse_closed_store('${state}')`,
  })
}
