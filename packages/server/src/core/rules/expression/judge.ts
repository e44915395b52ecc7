import { bucketsOver, type CountedWindow } from '../../counters/buckets.ts'
import { isIncrement, purchaseOf, type Spend } from '../../spend.ts'
import { dateAt, hourOf, minuteOfWeek, weekdayOf } from '../../time/wall-clock.ts'
import { defineCodes, sharedCodes } from '../codes.ts'
import { keyPrefix, seriesName, soFar } from '../counter-key.ts'
import {
  type Counted,
  fail,
  type Judge,
  type JudgedMandate,
  pass,
  type Situation,
} from '../verdict.ts'
import { compileExpression, type ExpressionInput } from './compile.ts'
import { daysSince, type Mentions, nextChangeOf } from './next-change.ts'

const NOTHING = { count: 0, amount: 0n }
const NOWHEN = { hour: 0, weekday: '', date: '' }

export const expressionCodes = {
  ...defineCodes({
    expression_false: {
      meaning: 'The expression of a rule is false for the spend.',
      action:
        'Read the expression in `limit` of the finding and send a spend for which it is true, or wait until `next.retryAfter` if it is set.',
      repeat: 'later',
    },
    expression_error: {
      meaning: 'The expression of a rule could not be evaluated, so the rule fails.',
      action: 'Give a person the message of the finding, so that they can fix the expression.',
      repeat: 'after_change',
    },
  }),
  payee_mismatch: sharedCodes.payee_mismatch,
}

/**
 * `spent.hour`, `spent.day` and the counts cover the calendar hour and day in the mandate's zone,
 * like the windows of the same names in a limit. Only the counters that the expression mentions are
 * kept, because a counter has to be read and written with every spend.
 */
export function judgeExpression(expr: string, mandate: JudgedMandate): Judge {
  const compiled = compileExpression(expr)
  if (!compiled.ok) {
    const message = `The expression could not be evaluated: ${compiled.error}.`
    return { check: () => fail(expressionCodes.expression_error, null, expr, message) }
  }
  const { names, evaluate } = compiled
  const mentions: Mentions = (record, ...fields) =>
    names.has(record) || fields.some((field) => names.has(`${record}.${field}`))

  const needsHour = mentions('spent', 'hour') || mentions('count', 'hour')
  const needsDay = mentions('spent', 'day') || mentions('count', 'day')
  // If the budget never resets, its spent amount is the total already.
  const needsTotal = mentions('spent', 'total') && mandate.budgetPeriod !== 'none'
  const needsLocal = mentions('local', 'hour', 'weekday', 'date')

  const hour = countedOver({ kind: 'calendar', unit: 'hour' }, mandate)
  const day = countedOver({ kind: 'calendar', unit: 'day' }, mandate)
  const total = countedOver({ kind: 'always' }, mandate)
  const nextChange = nextChangeOf(mentions, { hour, day })
  const counters = [
    ...(needsHour ? [hour] : []),
    ...(needsDay ? [day] : []),
    ...(needsTotal ? [total] : []),
  ]
  const needsCount = mentions('count', 'hour', 'day')

  function inputOf(situation: Situation): ExpressionInput {
    const { spend, now, agent, usage, budgetSpent } = situation
    const inHour = needsHour ? soFar(hour, situation) : NOTHING
    const inDay = needsDay ? soFar(day, situation) : NOTHING
    return {
      amount: spend.amount,
      currency: mandate.currency,
      vendor: spend.vendor,
      category: spend.category ?? '',
      path: spend.path,
      reference: spend.reference ?? '',
      spent: {
        hour: inHour.amount,
        day: inDay.amount,
        period: budgetSpent,
        total: needsTotal ? soFar(total, situation).amount : budgetSpent,
      },
      count: { hour: inHour.count, day: inDay.count },
      vendorFirstSeenDays: usage.vendor ? daysSince(usage.vendor.firstAt, now) : -1,
      agent,
      local: needsLocal ? localAt(mandate, now) : NOWHEN,
    }
  }

  return {
    needsVendorHistory: mentions('vendor_first_seen_days'),
    readsVendor: () => names.has('vendor') || names.has('vendor_first_seen_days'),
    counters: () => counters,
    series: counters.map(({ series: name, layout }) => ({ name, layout, needsCount })),
    cost: compiled.cost,
    check(situation) {
      const { spend } = situation
      const input = inputOf(situation)
      const outcome = evaluate(isIncrement(spend) ? asWhole(input, spend) : input)
      if ('error' in outcome) {
        const message = `The expression could not be evaluated: ${outcome.error}.`
        return fail(expressionCodes.expression_error, null, expr, message)
      }
      if (outcome.value) return pass('true', expr, 'The expression is true.')
      return fail(expressionCodes.expression_false, 'false', expr, 'The expression is false.')
    },
    // If the expression could not be evaluated, it is unknown whether waiting helps.
    passesAt: (situation, failed) =>
      failed === expressionCodes.expression_false.code ? nextChange(situation) : undefined,
  }
}

/** This is the same counter as that of a limit over this window, if the mandate has one. */
function countedOver(
  window: CountedWindow,
  mandate: JudgedMandate,
): Counted & { readonly series: string } {
  const series = seriesName(window, 'all', ',,')
  return {
    series,
    key: keyPrefix(mandate, series),
    layout: bucketsOver(window, mandate.zone, mandate.budgetPeriod),
  }
}

/**
 * An increase of a purchase is judged as the whole purchase, beside everything that was spent
 * without it. The part that was approved before may lie outside a window; the sum with the amount is
 * still right.
 */
function asWhole(input: ExpressionInput, spend: Spend): ExpressionInput {
  const amount = purchaseOf(spend)
  const approved = amount - spend.amount
  const { spent, count } = input
  return {
    ...input,
    amount,
    spent: {
      hour: spent.hour - approved,
      day: spent.day - approved,
      period: spent.period - approved,
      total: spent.total - approved,
    },
    count: { hour: Math.max(0, count.hour - 1), day: Math.max(0, count.day - 1) },
  }
}

function localAt({ zone }: JudgedMandate, now: number): ExpressionInput['local'] {
  const minute = minuteOfWeek(zone, now)
  return { hour: hourOf(minute), weekday: weekdayOf(minute), date: dateAt(zone, now) }
}
