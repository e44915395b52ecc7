import { addTo, type Counter, correctIn, EMPTY_COUNTER } from '../counters/counter.ts'
import type { MandateAccount, VendorHistory } from '../decision/account.ts'
import { type Entry, entriesOf, type Part, recounts } from '../decision/parts.ts'
import { countedBy, type Policy } from '../mandates/policy.ts'
import type { Spend } from '../spend.ts'
import type { Instant } from '../time/instant.ts'
import { createCounters } from './counters.ts'
import { createShift, type Rebooked, type Shift } from './shift.ts'

/** What of a transaction a replay books and counts. */
export interface ReplayedSpend {
  readonly spend: Spend
  readonly isSpend: boolean
  readonly createdAt: Instant
}

/**
 * What is known in the world that is replayed: how far figures and counters are from the record, what
 * the proposed rules have counted themselves, and which vendors are known.
 */
export interface ProposedWorld {
  readonly shift: Shift
  /** How many counters and vendors it remembers. */
  readonly size: number
  /** The counter of a proposed rule that the record does not have. */
  ownCounter(key: string): Counter | undefined
  /** Counts, in the counters of the proposed rules, how a transaction is booked. */
  countOwn(policy: Policy, of: ReplayedSpend, change: Rebooked, now: Instant): void
  /** Books and counts that a transaction is another than in the record, along its whole line. */
  deviate(line: readonly Policy[], of: ReplayedSpend, change: Rebooked, now: Instant): void
  vendor(name: string): VendorHistory | undefined
  /** Whether a flipped decision has changed what is known of the vendor. */
  isTouched(vendor: string): boolean
  touch(vendor: string): void
  /**
   * A person has made the vendor known up to an amount, which no decision takes back. A later answer
   * replaces the earlier one as long as nothing is paid there.
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

/** The accounts of a line as they would be. */
export function shiftedLine(
  { shift }: ProposedWorld,
  recorded: readonly MandateAccount[],
  now: Instant,
): readonly MandateAccount[] {
  return recorded.map((account) => shift.account(account, now))
}
