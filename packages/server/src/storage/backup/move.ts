import type { Database } from '../engine/database.ts'
import { isDeadlock, isLockTimeout } from '../engine/storage-error.ts'
import { closeStore, openStore } from './closed-store.ts'
import { findStoreState, type StoreState } from './store-state.ts'

/** Writers that hold a lock delay the move; each try waits this long and then lets them pass. */
const LOCK_WAIT = `set local lock_timeout = '2s'`
const TRIES_MAX = 30

/**
 * Closes the store before its data is read for a move: from here on it accepts nothing, so the backup
 * has everything that it ever answered. A move that was cut off can be repeated.
 */
export async function closeForMove(db: Database): Promise<void> {
  requireMovable((await findStoreState(db))?.state)
  const note = 'Its data is being moved to a different store.'
  for (let tries = 1; ; tries += 1) {
    try {
      await db.transaction(async (tx) => {
        await tx.query({ text: LOCK_WAIT })
        await closeStore(tx, 'moving', note)
      })
      return
    } catch (error) {
      if (tries >= TRIES_MAX || !(isLockTimeout(error) || isDeadlock(error))) throw error
    }
  }
}

/** The file is complete: the data lives elsewhere from here on, for good. */
export async function endMove(db: Database): Promise<void> {
  await db.transaction((tx) => closeStore(tx, 'moved', 'Its data was moved to a different store.'))
}

/** Opens a store whose move did not happen. Throws if it is not being moved. */
export async function cancelMove(db: Database): Promise<void> {
  const state = (await findStoreState(db))?.state
  if (state === 'moved') {
    throw new Error(
      'The data of this store was moved, and the backup may be restored elsewhere, so this store stays closed.',
    )
  }
  if (state !== 'moving') throw new Error('This store is not being moved.')
  await db.transaction((tx) => openStore(tx))
}

function requireMovable(state: StoreState | undefined): void {
  switch (state) {
    case undefined:
    case 'moving':
      return
    case 'holding':
      throw new Error(
        'This store holds webhook deliveries back, and the moved store would send them. Run  purser restore --release-deliveries  first.',
      )
    case 'moved':
      throw new Error('The data of this store was moved already. Move it from the new store.')
    default:
      throw new Error(
        'This store is closed since its restore. Run  purser restore --finish  before you move it.',
      )
  }
}
