import { toIso } from '../../core/time/instant.ts'
import type { StoreStateRow } from '../../storage/backup/store-state.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** Whether the store accepts spends and changes. */
export function checkStore(found: StoreStateRow | undefined): Check {
  return found ? judge(found) : ok('store', 'The store is open.')
}

function judge({ state, note, since }: StoreStateRow): Check {
  const at = toIso(since)
  switch (state) {
    case 'holding':
      return warn(
        'store',
        `The store is open, and has held webhook deliveries and messages since ${at}.`,
        'Run purser restore --release-deliveries to send them.',
      )
    case 'restoring':
      return fail(
        'store',
        `The restore that began at ${at} was cut off or still runs, so no gateway starts here.`,
        'If it was cut off, restore the backup into an empty database or data folder.',
      )
    case 'moving':
      return fail(
        'store',
        `The store is closed since ${at} for a move that has not ended, so the gateway refuses every spend and change.`,
        'If purser backup --move was cut off, repeat it, or open the store with purser backup --cancel-move.',
      )
    case 'moved':
      return fail(
        'store',
        `The data of this store was moved at ${at}, so the gateway refuses every spend and change.`,
        'Send requests to the gateway of the new store, and stop this one.',
      )
    case 'restored':
    case 'behind':
      return fail(
        'store',
        `The store is closed since ${at}, so the gateway refuses every spend and change. ${note}`,
        'When the original has stopped, run purser restore --finish.',
      )
  }
}
