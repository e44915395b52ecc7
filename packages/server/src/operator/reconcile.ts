import { toPublicId } from '../core/id.ts'
import type { Storage } from '../process/open-storage.ts'
import { findTheOrganization } from '../process/setup.ts'
import { compareBudgets, compareCounters } from './reconcile/compare-sums.ts'
import { compareThings } from './reconcile/compare-things.ts'
import { compareTransactions } from './reconcile/compare-transactions.ts'
import { type Counts, isUndecided, type Place } from './reconcile/place.ts'
import { walkLog } from './reconcile/walk-log.ts'

/** The result of comparing the live tables with the audit log. */
export interface Reconciled {
  readonly kind: 'agrees' | 'differs' | 'undecided'
  readonly organizationId: string
  /** The first difference, or why there is no result. */
  readonly text: string | null
  readonly counts: Readonly<Counts>
}

const PASSES = [walkLog, compareThings, compareTransactions, compareBudgets, compareCounters]

/**
 * Compares the live tables of an organization with its audit log, and stops at the first
 * difference. It only reads, page by page, and gateways may keep running (ADR 51).
 */
export async function reconcile(
  { db }: Pick<Storage, 'db'>,
  publicId: string | undefined,
  onProgress: (counts: Readonly<Counts>) => void = () => {},
): Promise<Reconciled> {
  const organizationId = await db.transaction((tx) => findTheOrganization(tx, publicId))
  const counts = {
    ...{ leaves: 0, transactions: 0, rows: 0, budgets: 0, counters: 0 },
    ...{ unsealed: 0, pruned: 0, older: 0, uncounted: 0, large: 0 },
  }
  const place: Place = { db, organizationId, counts, tell: () => onProgress(counts) }
  const told = { organizationId: toPublicId('org', organizationId), counts }
  try {
    for (const pass of PASSES) {
      const text = await pass(place)
      if (text !== undefined) return { kind: 'differs', text, ...told }
    }
  } catch (error) {
    if (!isUndecided(error)) throw error
    return { kind: 'undecided', text: error.message, ...told }
  }
  if (counts.large === 0) return { kind: 'agrees', text: null, ...told }
  return { kind: 'undecided', text: TOO_LARGE, ...told }
}

const TOO_LARGE =
  'Everything that was compared matches, but some budgets or counters have too many spends to add up within 5 seconds.'
