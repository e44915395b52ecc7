import { setTimeout } from 'node:timers/promises'
import { toPublicId } from '../../core/id.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import {
  type LogState,
  listUnsealed,
  type Pruned,
  readLogState,
  readPruned,
} from '../../storage/reconcile/log-rows.ts'
import { inSnapshot } from '../../storage/reconcile/snapshot.ts'

/** Counts of compared rows, and of rows that could not be compared, which are no differences. */
export interface Counts {
  leaves: number
  transactions: number
  rows: number
  budgets: number
  counters: number
  /** Rows with a change that is not sealed yet. */
  unsealed: number
  /** Rows that retention removed, as a leaf says. */
  pruned: number
  /**
   * Rows whose last leaf is from an older gateway, or that are older than the audit log and have no
   * leaf.
   */
  older: number
  /** Budgets whose period was changed, and counters of limits that were added later. */
  uncounted: number
  /** Budgets and counters that exceed the statement timeout. */
  large: number
}

export interface Place {
  readonly db: Database
  readonly organizationId: string
  readonly counts: Counts
  /** Called after each piece of work. */
  tell(): void
}

/** One committed snapshot of the tables and the audit log. */
export interface Moment {
  readonly tx: Tx
  readonly log: LogState
  /** Ids, plain or public, of things that have changes which are not sealed yet. */
  readonly unsealed: ReadonlySet<string>
  pruned(): Promise<Pruned>
}

const UNDECIDED = 'Undecided'

/** An error for the case that no result is possible; the message says why. */
function cannotTell(message: string): Error {
  return Object.assign(new Error(message), { name: UNDECIDED })
}

export function isUndecided(error: unknown): error is Error {
  return error instanceof Error && error.name === UNDECIDED
}

const UNSEALED_MAX = 10_000

/** How often, and at which interval, an audit log that is far behind is checked again. */
const LOOKS_MAX = 10
const LOOK_EVERY_MS = 1_000

/**
 * Runs in one short snapshot, together with the state of the audit log in it. Waits some seconds
 * for an audit log that is behind.
 */
export async function atMoment<T>(place: Place, run: (moment: Moment) => Promise<T>): Promise<T> {
  for (let look = 1; ; look++) {
    const found = await inSnapshot(place.db, async (tx) => {
      const moment = await readMoment(place, tx)
      return moment && { result: await run(moment) }
    })
    if (found) return found.result
    if (look === LOOKS_MAX) throw cannotTell(FAR_BEHIND)
    await setTimeout(LOOK_EVERY_MS)
  }
}

/** Returns undefined if too many events and changes are not sealed yet. */
async function readMoment({ organizationId }: Place, tx: Tx): Promise<Moment | undefined> {
  const log = await readLogState(tx, organizationId)
  if (!log || log.size === 0) throw cannotTell(NO_LOG)
  const { subjects, isCut } = await listUnsealed(tx, organizationId, log.lastNumber, UNSEALED_MAX)
  if (isCut) return undefined
  let pruned: Promise<Pruned> | undefined
  const name = toPublicId('org', organizationId)
  return {
    tx,
    log,
    unsealed: new Set(subjects),
    pruned: () => (pruned ??= readPruned(tx, organizationId, name, log.lastNumber)),
  }
}

const NO_LOG =
  'The organization has no audit log yet. Start a gateway: it seals the audit log within a second.'
const FAR_BEHIND =
  'More than 10,000 events or changes are not sealed yet. Run a gateway until they are sealed.'
