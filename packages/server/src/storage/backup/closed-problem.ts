import { Problem } from '../../base/errors.ts'

/** The SQLSTATE with which the trigger of a closed store refuses a write. */
export const CLOSED = 'PU001'

const RESTORED =
  'This store was restored from a backup, and its original may still run, so it accepts no spends and no changes. Nothing was changed. When the original has stopped, its operator opens this store with "purser restore --finish".'
const MOVED =
  'The data of this store was moved to a different store, so it accepts no spends and no changes. Nothing was changed. Send requests to the gateway of the new store.'
const HOLDING =
  'The operator holds webhook deliveries and messages after a restore. Nothing was changed. "purser restore --release-deliveries" releases them.'

/** What a request to a closed store gets. */
export function closedProblem(state: string, cause?: unknown): Problem {
  if (state === 'moving' || state === 'moved') return new Problem('store_moved', MOVED, { cause })
  return new Problem('store_restored', state === 'holding' ? HOLDING : RESTORED, { cause })
}

/** The problem for an error of the trigger, whose message ends with the state. */
export function closedProblemOf(message: string, cause: unknown): Problem {
  return closedProblem(/: (\w+)\.$/.exec(message)?.[1] ?? '', cause)
}
