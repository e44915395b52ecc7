import { toPublicId } from '../core/id.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import {
  type LogState,
  listUnsealedSubjects,
  type Pruned,
  readLogState,
  readPruned,
} from '../storage/reconcile/log-rows.ts'
import { inSnapshot } from '../storage/reconcile/snapshot.ts'

/** What was looked at, and what could not be compared and is no difference. */
export interface Counts {
  leaves: number
  transactions: number
  rows: number
  budgets: number
  counters: number
  /** Changed by something that is not sealed yet. */
  unsealed: number
  /** Removed after its time, which a leaf says. */
  pruned: number
  /** Rows whose last leaf is of an older gateway, or that no leaf names because they were there before. */
  older: number
  /** Budgets whose period was changed, and counters of limits that were added later. */
  uncounted: number
  /** Budgets and counters that take longer than a statement may. */
  large: number
}

export interface Place {
  readonly db: Database
  readonly organizationId: string
  readonly counts: Counts
  /** After each piece of work. */
  tell(): void
}

/** A committed moment of the tables and the log. */
export interface Moment {
  readonly tx: Tx
  readonly log: LogState
  /** Ids, plain or as the API shows them, of what the log does not have all of yet. */
  readonly unsealed: ReadonlySet<string>
  pruned(): Promise<Pruned>
}

const UNDECIDED = 'Undecided'

/** Nothing can be said, and why. */
function cannotTell(message: string): Error {
  return Object.assign(new Error(message), { name: UNDECIDED })
}

export function isUndecided(error: unknown): error is Error {
  return error instanceof Error && error.name === UNDECIDED
}

const UNSEALED_MAX = 10_000

/** Runs in one short snapshot, with how far the log is in it. */
export function atMoment<T>(
  { db, organizationId }: Place,
  run: (moment: Moment) => Promise<T>,
): Promise<T> {
  return inSnapshot(db, async (tx) => {
    const log = await readLogState(tx, organizationId)
    if (!log || log.size === 0) throw cannotTell(NO_LOG)
    const subjects = await listUnsealedSubjects(tx, organizationId, log.lastNumber, UNSEALED_MAX)
    if (subjects.length >= UNSEALED_MAX) throw cannotTell(FAR_BEHIND)
    let pruned: Promise<Pruned> | undefined
    const name = toPublicId('org', organizationId)
    return run({
      tx,
      log,
      unsealed: new Set(subjects),
      pruned: () => (pruned ??= readPruned(tx, organizationId, name, log.lastNumber)),
    })
  })
}

const NO_LOG =
  'The organization has no audit log yet. Start a gateway: it seals the log in a second.'
const FAR_BEHIND =
  'More than 10,000 events and changes are not sealed yet. Let a gateway run until they are.'
