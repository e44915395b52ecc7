import type { Database, Tx } from '../engine/database.ts'
import { retryDeadlocks } from '../engine/repeated-transaction.ts'
import { openStore } from './closed-store.ts'
import { acceptHeads } from './heads.ts'
import { countPending, type Pending } from './pending.ts'
import { findStoreState } from './store-state.ts'

/** A restored store that is still closed, and what it will do once it opens. */
export interface ClosedStore {
  readonly note: string
  readonly pending: Pending
}

/** Throws a sentence for the operator if there is nothing to finish. */
export async function findClosedStore(db: Database): Promise<ClosedStore> {
  const found = await findStoreState(db)
  if (found?.state === 'restored' || found?.state === 'behind') {
    return { note: found.note, pending: await countPending(db) }
  }
  if (found?.state === 'moved' || found?.state === 'moving') {
    throw new Error(
      'The data of this store was moved to a different store, so it stays closed. Use the new store.',
    )
  }
  if (found?.state === 'holding') {
    throw new Error(
      'The store is open already, and holds webhook deliveries and messages. Release them with:  purser restore --release-deliveries',
    )
  }
  throw new Error('The store is open already: no restore is to be finished.')
}

/** Opens a restored store. The caller has made sure that the original has stopped. */
export async function finishRestore(db: Database, holdsDeliveries: boolean): Promise<void> {
  await changeTriggers(db, async (tx) => {
    await openStore(tx, holdsDeliveries)
    await acceptHeads(tx)
  })
}

/** Lets the webhook deliveries and messages go that `--hold-deliveries` kept. */
export async function releaseDeliveries(db: Database): Promise<void> {
  const found = await findStoreState(db)
  if (found?.state !== 'holding') {
    throw new Error('This store holds no webhook deliveries and no messages back.')
  }
  await changeTriggers(db, (tx) => openStore(tx))
}

/** A running gateway reads several tables in an order of its own, so the locks of triggers can deadlock. */
function changeTriggers(db: Database, run: (tx: Tx) => Promise<void>): Promise<void> {
  return retryDeadlocks(() => db.transaction(run))
}
