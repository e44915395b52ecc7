import { toIso } from '../../core/time/instant.ts'
import { findStoreState } from '../../storage/backup/store-state.ts'
import type { Queryable } from '../../storage/engine/database.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** Whether the store accepts spends and changes. */
export async function checkStore(db: Queryable): Promise<Check> {
  const found = await findStoreState(db)
  if (!found) return ok('store', 'The store is open.')
  const since = toIso(found.since)
  if (found.state === 'holding') {
    return warn(
      'store',
      `The store is open, and has held webhook deliveries and messages since ${since}.`,
      'Run purser restore --release-deliveries to send them.',
    )
  }
  if (found.state === 'moving' || found.state === 'moved') {
    return fail(
      'store',
      `The data of this store was moved at ${since}, so the gateway refuses every spend and change.`,
      'Send requests to the gateway of the new store, and stop this one.',
    )
  }
  return fail(
    'store',
    `The store is closed since ${since}, so the gateway refuses every spend and change. ${found.note}`,
    'When the original has stopped, run purser restore --finish.',
  )
}
