import type { Instant } from '../../time/instant.ts'
import { soFar } from '../counter-key.ts'
import type { Counted, Situation } from '../verdict.ts'

const DAY_MS = 86_400_000

/** Whether an expression mentions one of these fields of a record, or the record as a whole. */
export type Mentions = (record: string, ...fields: string[]) => boolean

type Change = (situation: Situation) => Instant | undefined

/**
 * Finds the first instant at which a variable of the expression changes, if nothing else is spent.
 * Until then, the expression keeps its value. Undefined if no variable ever changes.
 */
export function nextChangeOf(
  mentions: Mentions,
  { hour, day }: { readonly hour: Counted; readonly day: Counted },
): Change {
  const changes: readonly Change[] = [
    ...(mentions('local', 'hour') ? [endOf(hour)] : []),
    ...(mentions('local', 'weekday', 'date') ? [endOf(day)] : []),
    ...(mentions('spent', 'hour') || mentions('count', 'hour') ? [endOfCount(hour)] : []),
    ...(mentions('spent', 'day') || mentions('count', 'day') ? [endOfCount(day)] : []),
    ...(mentions('spent', 'period') ? [endOfPeriod] : []),
    ...(mentions('vendor_first_seen_days') ? [nextDayOfVendor] : []),
  ]
  return (situation) => {
    const instants = changes.flatMap((change) => change(situation) ?? [])
    return instants.length === 0 ? undefined : Math.min(...instants)
  }
}

/** Whole days from one instant to another. */
export function daysSince(at: Instant, now: Instant): number {
  return Math.max(0, Math.floor((now - at) / DAY_MS))
}

/** The end of the calendar hour or day. */
function endOf({ layout }: Counted): Change {
  return ({ now }) => layout.endOf(layout.bucketAt(now))
}

/**
 * An empty counter stays empty. The amount is checked too, because an increase can add money in a
 * later window than its spend.
 */
function endOfCount(counted: Counted): Change {
  const end = endOf(counted)
  return (situation) => {
    const { count, amount } = soFar(counted, situation)
    return count > 0 || amount > 0n ? end(situation) : undefined
  }
}

function endOfPeriod({ budgetSpent, period }: Situation): Instant | undefined {
  return budgetSpent > 0n ? period?.end : undefined
}

function nextDayOfVendor({ usage: { vendor }, now }: Situation): Instant | undefined {
  return vendor && vendor.firstAt + (daysSince(vendor.firstAt, now) + 1) * DAY_MS
}
