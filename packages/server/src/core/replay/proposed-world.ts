import { addTo, type Counter, correctIn, EMPTY_COUNTER } from '../counters/counter.ts'
import type { MandateAccount, VendorHistory } from '../decision/account.ts'
import { type Entry, entriesOf, type Part, recounts } from '../decision/parts.ts'
import { countedBy, type Policy } from '../mandates/policy.ts'
import type { Spend } from '../spend.ts'
import type { Instant } from '../time/instant.ts'
import { createCounters } from './counters.ts'
import { createShift, type Rebooked, type Shift } from './shift.ts'

/** The parts of a transaction that a replay books and counts. */
export interface ReplayedSpend {
  readonly spend: Spend
  readonly isSpend: boolean
  readonly createdAt: Instant
}

/**
 * The state of the replayed world: the differences of figures and counters from the record, the
 * proposed rules' own counters, and the known vendors.
 */
export interface ProposedWorld {
  readonly shift: Shift
  /** The number of remembered counters and vendors. */
  readonly size: number
  /** The counter of a proposed rule, if the record has no such counter. */
  ownCounter(key: string): Counter | undefined
  /** Counts a booking in the counters of the proposed rules. */
  countOwn(policy: Policy, of: ReplayedSpend, change: Rebooked, now: Instant): void
  /** Books and counts a transaction that differs from the record, along its whole line of mandates. */
  deviate(line: readonly Policy[], of: ReplayedSpend, change: Rebooked, now: Instant): void
  vendor(name: string): VendorHistory | undefined
  /** Whether a flipped decision has changed the history of the vendor. */
  isTouched(vendor: string): boolean
  touch(vendor: string): void
  /**
   * Adds a vendor that a person has approved up to an amount; no decision takes that back. A later
   * approval replaces the earlier one as long as the vendor was not paid.
   */
  introduce(vendor: string, known: VendorHistory): void
  learn(of: ReplayedSpend, after: readonly Part[]): void
}

export function createProposedWorld(): ProposedWorld {
  const shift = createShift()
  const own = createCounters()
  const vendors = new Map<string, VendorHistory>()
  const touched = new Set<string>()

  return {
    shift,
    get size() {
      return shift.size + own.size + vendors.size + touched.size
    },
    ownCounter: (key) => own.get(key),
    countOwn(policy, of, change, now) {
      const entries = recountsOf(of, change)
      if (entries.length === 0) return
      // Rules that count the same thing share a counter, and a spend must be counted in it once.
      const counted = new Map(countedBy(policy, of.spend).map((each) => [each.key, each]))
      for (const { key, layout } of counted.values()) {
        const counter = own.get(key) ?? EMPTY_COUNTER
        const apply = (sum: Counter, entry: Entry): Counter =>
          isAddition(entry)
            ? addTo(sum, layout, entry.at, entry.amount, entry.count)
            : correctIn(sum, entry.at, entry)
        own.set(key, entries.reduce(apply, counter), now)
      }
    },
    deviate(line, of, change, now) {
      shift.book(line, change, now)
      const counted = line.flatMap((policy) => countedBy(policy, of.spend))
      if (counted.length > 0) shift.count(counted, recountsOf(of, change), now)
    },
    vendor: (name) => vendors.get(name),
    isTouched: (name) => touched.has(name),
    touch: (name) => void touched.add(name),
    introduce(name, known) {
      if ((vendors.get(name)?.lastAmount ?? null) === null) vendors.set(name, known)
    },
    learn({ spend, isSpend, createdAt }, after) {
      const lastAmount = after.reduce((sum, part) => sum + part.settled + part.refunded, 0n)
      if (!isSpend || lastAmount === 0n || after.some(({ held }) => held > 0n)) return
      const firstAt = vendors.get(spend.vendor)?.firstAt ?? createdAt
      vendors.set(spend.vendor, { firstAt, lastAmount })
    },
  }
}

function recountsOf({ isSpend }: ReplayedSpend, { before, after }: Rebooked): Entry[] {
  return recounts(entriesOf(before, isSpend), entriesOf(after, isSpend))
}

function isAddition({ amount, count }: Entry): boolean {
  return amount > 0n || (amount === 0n && count > 0)
}

/** The accounts of a line of mandates in the replayed world. */
export function shiftedLine(
  { shift }: ProposedWorld,
  recorded: readonly MandateAccount[],
  now: Instant,
): readonly MandateAccount[] {
  return recorded.map((account) => shift.account(account, now))
}
