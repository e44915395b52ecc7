import { addTo, type Counter, EMPTY_COUNTER } from '../counters/counter.ts'
import { figuresAt, type MandateAccount } from '../decision/account.ts'
import { type Entry, type Part, rebookings } from '../decision/parts.ts'
import type { Policy } from '../mandates/policy.ts'
import type { Micros } from '../money.ts'
import type { Counted } from '../rules/verdict.ts'
import type { Instant } from '../time/instant.ts'
import { createCounters } from './counters.ts'

/*
 * The differences between a replay and the record (ADR 46). The record holds the figures and counters
 * of each decision. So a replay computes only the changes that flipped decisions make to them: spends
 * of other agents, and transactions that were never replayed, are in the record anyway.
 */

/** The booking of a transaction before and after a step. */
export interface Rebooked {
  readonly before: readonly Part[]
  readonly after: readonly Part[]
}

export interface Shift {
  /** The number of remembered counters. */
  readonly size: number
  /** Books the difference in the budgets of these mandates. */
  book(policies: readonly Policy[], change: Rebooked, now: Instant): void
  /** Counts the difference in these counters. */
  count(counters: readonly Counted[], entries: readonly Entry[], now: Instant): void
  /** The account in the replayed world. Returns the same object if nothing differs. */
  account(recorded: MandateAccount, now: Instant): MandateAccount
  /** The counter in the replayed world. */
  counter(key: string, recorded: Counter | undefined): Counter | undefined
}

/** The difference in the figures of a mandate, in the period that begins at `start`. */
interface FigureShift {
  readonly start: Instant | null
  readonly spent: Micros
  readonly held: Micros
}

export function createShift(): Shift {
  const figures = new Map<string, FigureShift>()
  const counters = createCounters()

  function current(policy: Policy, now: Instant): FigureShift {
    const start = policy.zone.periodAt(policy.terms.budgetPeriod, now)?.start ?? null
    const shift = figures.get(policy.mandateId)
    return shift?.start === start ? shift : { start, spent: 0n, held: 0n }
  }

  return {
    get size() {
      return counters.size
    },
    book(policies, { before, after }, now) {
      const all = rebookings(before, after)
      for (const policy of policies) {
        let { start, spent, held } = current(policy, now)
        for (const each of all) {
          // Bookings of an earlier period no longer count, because the figures start again with each
          // period.
          if (start !== null && each.at < start) continue
          spent += each.spent
          held += each.held
        }
        figures.set(policy.mandateId, { start, spent, held })
      }
    },
    count(counted, entries, now) {
      // Rules that count the same thing share a counter, and each entry must be counted in it once.
      const layouts = new Map(counted.map(({ key, layout }) => [toSeriesKey(key), layout]))
      for (const [key, layout] of layouts) {
        const counter = entries.reduce(
          (sum, { at, amount, count }) => addTo(sum, layout, at, amount, count),
          counters.get(key) ?? EMPTY_COUNTER,
        )
        counters.set(key, counter, now)
      }
    },
    account(recorded, now) {
      const { start, spent, held } = current(recorded.policy, now)
      if (spent === 0n && held === 0n) return recorded
      const figures = figuresAt(recorded, now)
      const spentThen = atLeastZero(figures.spent + spent)
      const heldThen = atLeastZero(figures.held + held)
      const periodStart = start ?? recorded.periodStart
      return { ...recorded, spent: spentThen, held: atMost(spentThen, heldThen), periodStart }
    },
    counter(key, recorded) {
      const shift = counters.get(toSeriesKey(key))
      if (!shift || !recorded) return shift ?? recorded
      const buckets = [...recorded.buckets, ...shift.buckets].sort((a, b) => a.start - b.start)
      const count = recorded.count + shift.count
      return { buckets, count, amount: recorded.amount + shift.amount, expiresAt: 0 }
    },
  }
}

/** The key without the version that added the series: both count the same thing. */
export function toSeriesKey(key: string): string {
  const slash = key.indexOf('/')
  const tilde = key.indexOf('~')
  return tilde === -1 || tilde > slash ? key : key.slice(0, tilde) + key.slice(slash)
}

function atMost(most: Micros, amount: Micros): Micros {
  return amount < most ? amount : most
}

function atLeastZero(amount: Micros): Micros {
  return amount > 0n ? amount : 0n
}
