import { budgetAt, type Mandate, statusAt } from '../mandates/mandate.ts'
import { least, MICROS_MAX, type Micros, toMicros } from '../money.ts'
import type { Rule } from '../rules/rule-set.ts'
import type { Instant } from '../time/instant.ts'
import type { Period } from '../time/period.ts'
import { parseWindow, type Window } from '../time/window.ts'
import { type Zone, zoneOf } from '../time/zone.ts'
import { countTouched } from './touched.ts'

/** The types of rules that the exposure takes into account; no other type bounds a sum. */
export const BOUNDING_TYPES = ['amount', 'expression', 'limit', 'paths'] as const

export type BoundingRule = Extract<Rule, { type: (typeof BOUNDING_TYPES)[number] }>
/** Whether a rule has one of these types. */
export function isBounding(rule: Rule): rule is BoundingRule {
  return BOUNDING.includes(rule.type)
}

const BOUNDING: readonly string[] = BOUNDING_TYPES

type Limit = Extract<BoundingRule, { type: 'limit' }>

const UNITS = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' } as const

export interface ExposedMandate
  extends Pick<
    Mandate,
    | 'id'
    | 'agentId'
    | 'parentMandateId'
    | 'status'
    | 'currency'
    | 'timezone'
    | 'validFrom'
    | 'validUntil'
    | 'budgetPeriod'
    | 'budgetTotal'
    | 'budgetSpent'
    | 'budgetHeld'
    | 'spentPeriodStart'
  > {
  /** An expression may lack its text, because only its name is used. */
  readonly rules: readonly BoundingRule[]
}

/** The largest amount that a mandate itself allows, and the rules that may allow less. */
export interface Bound {
  readonly amount: Micros
  readonly ignored: readonly BoundingRule[]
}

/**
 * The largest amount that can be approved under a mandate from `now` until `until`, in its present
 * state: the budget of each period in that time, and each limit as often as its window can be used up.
 * Held amounts count as if they were released and spent again.
 *
 * Only rules that reject are counted. A person can lift a rule that asks, and a rule that flags stops
 * nothing. Refunds, and money that a card network takes without asking, cannot be known in advance.
 */
export function boundOf(mandate: ExposedMandate, now: Instant, until: Instant): Bound {
  const start = Math.max(now, mandate.validFrom ?? now)
  const end = Math.min(until, mandate.validUntil ?? until)
  if (statusAt(mandate, now) !== 'active' || end <= start) return { amount: 0n, ignored: [] }
  const zone = zoneOf(mandate.timezone)
  const stretch = { start, end }
  const windows = (window: Window) => windowsIn(window, mandate, zone, stretch)
  const perSpend = largestSpend(mandate.rules)
  const rejecting = mandate.rules.filter(({ effect }) => effect === 'reject')
  const judged = rejecting.map((rule) => ({
    rule,
    bound: rule.type === 'limit' ? limitBound(rule, perSpend, windows) : undefined,
  }))
  const bounds = judged.flatMap(({ bound }) => bound ?? [])
  return {
    amount: least(budgetBound(mandate, zone, now, stretch), ...bounds),
    ignored: judged
      .filter(({ rule, bound }) => bound === undefined && MAY_BOUND.includes(rule.type))
      .map(({ rule }) => rule),
  }
}

/** An amount rule or a path rule alone does not bound a sum. */
const MAY_BOUND: readonly string[] = ['expression', 'limit']

/** The bound of each mandate together with its ancestors: the smallest one of the line. */
export function lineBounds(
  mandates: readonly ExposedMandate[],
  boundOfEach: (mandate: ExposedMandate) => Micros,
): Map<string, Micros> {
  const byId = new Map(mandates.map((mandate) => [mandate.id, mandate]))
  const bounds = new Map<string, Micros>()
  const boundOfLine = (mandate: ExposedMandate): Micros => {
    const known = bounds.get(mandate.id)
    if (known !== undefined) return known
    const own = boundOfEach(mandate)
    const parent = byId.get(mandate.parentMandateId ?? '')
    const bound = parent ? least(own, boundOfLine(parent)) : own
    bounds.set(mandate.id, bound)
    return bound
  }
  for (const mandate of mandates) boundOfLine(mandate)
  return bounds
}

function budgetBound(
  mandate: ExposedMandate,
  zone: Zone,
  now: Instant,
  { start, end }: Period,
): Micros {
  const { budgetTotal, budgetPeriod } = mandate
  const { spent, held } = budgetAt(mandate, now)
  const left = spent - held < budgetTotal ? budgetTotal - spent + held : 0n
  if (budgetPeriod === 'none') return left
  const periods = countTouched(UNITS[budgetPeriod], zone, { start, end })
  const current = zone.periodAt(budgetPeriod, now)
  // The spent amount belongs to the current period, which a mandate that begins later does not touch.
  const isNow = current !== undefined && start < current.end
  return isNow ? left + BigInt(periods - 1) * budgetTotal : BigInt(periods) * budgetTotal
}

/** Returns undefined if the limit does not bound the sum of all spends. */
function limitBound(
  { groupBy, match, maxAmount, maxCount, window }: Limit,
  perSpend: Micros | undefined,
  windows: (window: Window) => bigint,
): Micros | undefined {
  const parsed = parseWindow(window)
  if (groupBy !== undefined || match !== undefined || !parsed) return undefined
  const times = windows(parsed)
  const [first, ...others] = [
    ...(maxAmount === undefined ? [] : [toMicros(maxAmount) * times]),
    ...(maxCount === undefined || perSpend === undefined
      ? []
      : [BigInt(maxCount) * perSpend * times]),
  ]
  return first === undefined ? undefined : least(first, ...others)
}

/**
 * The largest amount of one spend. Undefined if cards are allowed: an increment of an approved purchase
 * is not counted as a spend, so a number of spends bounds nothing there.
 */
function largestSpend(rules: readonly BoundingRule[]): Micros | undefined {
  const rejecting = rules.filter(({ effect }) => effect === 'reject')
  const hasNoCards = rejecting.some((rule) => rule.type === 'paths' && !rule.allow.includes('card'))
  if (!hasNoCards) return undefined
  const most = rejecting.flatMap((rule) =>
    rule.type === 'amount' && rule.max !== undefined ? [toMicros(rule.max)] : [],
  )
  return least(MICROS_MAX, ...most)
}

/** The number of times that the window of a limit can be used up. */
function windowsIn(
  window: Window,
  { budgetPeriod }: ExposedMandate,
  zone: Zone,
  stretch: Period,
): bigint {
  switch (window.kind) {
    case 'rolling':
      // A spend leaves a rolling window after its length at the earliest, so each stretch of that
      // length has room for at most one full limit.
      return BigInt(Math.ceil((stretch.end - stretch.start) / window.ms))
    case 'calendar':
      return BigInt(countTouched(window.unit, zone, stretch))
    case 'period':
      return BigInt(budgetPeriod === 'none' ? 1 : countTouched(UNITS[budgetPeriod], zone, stretch))
  }
}
