import { allowTriggers } from '../distributed/allow-triggers.ts'
import type { Tx } from '../engine/database.ts'
import { listTables, quoted } from './catalog.ts'
import { clearStoreState, type StoreState, setStoreState } from './store-state.ts'

const TRIGGER = 'store_is_closed'
const TRIGGER_OF_UPDATES = 'store_is_closed_to_updates'

/**
 * Tables that stay writable, so that people can sign in and read: no money and no change depends on
 * them. A backtest only reads, and takes its lease here.
 */
const WRITABLE = new Set(['sessions', 'sign_in_attempts', 'sign_in_notes', 'backtests'])

/**
 * Columns that a sign-in notes: the last use of a password or passkey, and the count of the passkey's
 * authenticator. Every other write to these tables is refused.
 */
const NOTED_AT_SIGN_IN: Readonly<Record<string, readonly string[]>> = {
  authenticators: ['last_used_at'],
  passkeys: ['last_used_at', 'sign_count'],
}

/** A decision writes these first, so that the others are free once these are locked. */
const FIRST = ['mandates', 'transactions', 'idempotency_keys']

interface RefusedWrites {
  readonly table: string
  readonly writes: string
  /** A table with two triggers has a second name. */
  readonly trigger?: string
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
  for (const refused of tables.flatMap(refusedIn)) await refuseWrites(tx, refused, state)
  await setStoreState(tx, state, note)
}

/** Opens a closed store. With `holdsDeliveries`, no webhook delivery and no message leaves it yet. */
export async function openStore(tx: Tx, holdsDeliveries = false): Promise<void> {
  await allowTriggers(tx)
  for (const table of await listClosable(tx)) {
    for (const trigger of [TRIGGER, TRIGGER_OF_UPDATES]) {
      await tx.query({ text: `drop trigger if exists ${trigger} on ${quoted(table)}` })
    }
  }
  if (!holdsDeliveries) return clearStoreState(tx)
  for (const held of HELD) await refuseWrites(tx, held, 'holding')
  const note = 'Webhook deliveries and messages to people wait until the operator releases them.'
  await setStoreState(tx, 'holding', note)
}

function refusedIn(table: string): RefusedWrites[] {
  const noted = NOTED_AT_SIGN_IN[table]
  if (!noted) return [{ table, writes: EVERY_WRITE }]
  const rest = (row: string) =>
    noted.reduce((all, name) => `${all} - '${name}'`, `to_jsonb(${row})`)
  const condition = `${rest('new')} is distinct from ${rest('old')}`
  return [
    { table, writes: 'insert or delete' },
    { table, writes: 'update', condition, trigger: TRIGGER_OF_UPDATES },
  ]
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
  { table, writes, condition, trigger = TRIGGER }: RefusedWrites,
  state: StoreState,
): Promise<void> {
  const when = condition === undefined ? '' : `when (${condition})`
  await tx.query({
    text: `create or replace trigger ${trigger} before ${writes} on ${quoted(table)}
           for each row ${when} execute function refuse_closed_store('${state}')`,
  })
}
