import assert from 'node:assert/strict'
import { Type } from 'typebox'
import { type BucketLayout, bucketsOver } from '../../counters/buckets.ts'
import { MICROS_MAX, showMoney, toMicros, toUnits } from '../../money.ts'
import { PATH_NAMES } from '../../path.ts'
import { countOf, type Spend } from '../../spend.ts'
import { parseWindow, type Window } from '../../time/window.ts'
import { defineCodes, sharedCodes } from '../codes.ts'
import { keyPrefix, seriesName, soFar, whenLittleEnough } from '../counter-key.ts'
import { defineRule, type SettingsOf } from '../define-rule.ts'
import { inspectMatch, mayMatch, normalizeMatch } from '../limit-match.ts'
import { aboveParent } from '../narrowing.ts'
import { COUNTING_NOTE, inspectMoney, moneySetting, withExactAmounts } from '../settings.ts'
import { type Counted, fail, type Judge, type JudgedMandate, pass } from '../verdict.ts'

const settings = {
  maxCount: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'The maximum number of spends within the window.',
      examples: [60],
    }),
  ),
  maxAmount: Type.Optional(moneySetting('The maximum total within the window.')),
  window: Type.String({
    pattern: '^(?:[1-9][0-9]{0,6}[smhd]|hour|day|week|month|period)$',
    description:
      'A rolling window (`90s`, `10m`, `1h`, `30d`; 10 s to 90 days), a calendar window in the time zone of the ' +
      'mandate (`hour`, `day`, `week`, `month`), or the `period` of its budget.',
    examples: ['1h', 'day', 'period'],
  }),
  groupBy: Type.Optional(
    Type.Enum(['vendor', 'category'], {
      type: 'string',
      description: 'Counts each vendor, or each category, separately.',
    }),
  ),
  match: Type.Optional(
    Type.Object(
      {
        vendor: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 2_048,
            description: 'A host, or `*.` and a domain name.',
          }),
        ),
        category: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description:
              'This category. A spend without a category fails if everything else matches.',
          }),
        ),
        path: Type.Optional(
          Type.Enum([...PATH_NAMES], { type: 'string', description: 'This payment path.' }),
        ),
      },
      {
        additionalProperties: false,
        minProperties: 1,
        description: 'Counts and limits only spends that match all of these.',
        examples: [{ category: 'search' }],
      },
    ),
  ),
}

type Limit = SettingsOf<typeof settings>

const codes = {
  ...defineCodes({
    limit_count_exceeded: {
      meaning: 'A limit allows no more spends within its window.',
      action: 'Wait until `next.retryAfter`.',
      repeat: 'later',
    },
    limit_amount_exceeded: {
      meaning: 'The spend would raise the total within the window of a limit above its maximum.',
      action: 'Ask for at most `next.maxAmountNow`, or wait until `next.retryAfter`.',
      repeat: 'later',
    },
  }),
  category_required: sharedCodes.category_required,
  payee_mismatch: sharedCodes.payee_mismatch,
}

/**
 * Bounds how often and how much is spent over time. Only approved spends count: if an agent keeps
 * trying a purchase that it may not make, it is not locked out of the smaller one that it tries
 * next.
 */
export const limit = defineRule({
  type: 'limit',
  title: 'LimitRule',
  summary: 'Limits the number or the total of spends within a time window.',
  effects: ['reject', 'require_approval', 'flag'],
  settings,
  codes,
  examples: [
    {
      says: 'At most 60 spends, and a total of at most 100, within an hour.',
      rule: { maxCount: 60, maxAmount: 100, window: '1h' },
    },
    {
      says: 'At most 200 per vendor and calendar day; more needs approval.',
      rule: { maxAmount: 200, window: 'day', groupBy: 'vendor', effect: 'require_approval' },
    },
    {
      says: 'At most 300 per budget period for searches at the subdomains of one domain, paid by x402.',
      rule: {
        maxAmount: 300,
        window: 'period',
        match: { vendor: '*.example.com', category: 'search', path: 'x402' },
      },
    },
  ],

  notes: [
    'At least one of `maxCount` and `maxAmount` is required.',
    'Approved spends count, and so do payments that bypassed the gateway. A hold counts from its approval on; if it is settled for less, only that amount counts. A hold that is voided or expires no longer counts; if it is settled after it expired, it counts again from its approval on. A refunded spend still counts.',
    'When a card asks to increase an approved purchase (an incremental authorization), its amount counts, but the number of spends stays the same.',
    COUNTING_NOTE,
    'A limit over the `period` without `maxCount`, `groupBy` and `match` that is added later starts from the spent amount of the budget, which excludes refunds.',
    'Vendors and categories have the forms that [`vendors`](#vendors) and [`categories`](#categories) describe.',
  ],
  narrower:
    '`maxCount` and `maxAmount` must not exceed the lowest of the limits of the parents with the same `window`, `groupBy` and `match`. Other limits are not compared.',

  inspect({ maxCount, maxAmount, window, match }) {
    const errors = [...inspectMoney('/maxAmount', maxAmount), ...inspectMatch(match)]
    if (maxCount === undefined && maxAmount === undefined) {
      const message = 'must state `maxCount`, `maxAmount` or both'
      errors.push({ path: '', code: 'incomplete_rule', message })
    }
    if (!parseWindow(window)) {
      const message = 'must be between 10s and 90d'
      errors.push({ path: '/window', code: 'out_of_range', message })
    }
    return errors
  },

  normalize(rule) {
    const exact = withExactAmounts(rule, ['maxAmount'])
    return exact.match ? { ...exact, match: normalizeMatch(exact.match) } : exact
  },

  judge: judgeOf,

  // Limits that count different things cannot be compared; both are judged on every spend.
  widerThan(child, parents) {
    const alike = parents.filter((parent) => seriesOf(parent) === seriesOf(child))
    return (['maxCount', 'maxAmount'] as const).flatMap((name) => {
      const above = alike.map((parent) => parent[name])
      return aboveParent(`/${name}`, child[name], above)
    })
  },
})

function judgeOf(rule: Limit, mandate: JudgedMandate): Judge {
  const { maxCount = Number.POSITIVE_INFINITY, maxAmount, window } = rule
  const most = maxAmount === undefined ? MICROS_MAX : toMicros(maxAmount)
  const limit = maxAmount ?? maxCount
  const series = seriesOf(rule)
  const layout = bucketsOver(windowOf(rule), mandate.zone, mandate.budgetPeriod)
  const place = placing(rule, keyPrefix(mandate, series), layout)
  const { vendor, ...match } = rule.match ?? {}
  // An increase of a purchase is not a further spend, so it needs no room for one.
  const isFull = (count: number, spend: Spend) => count >= maxCount && countOf(spend) > 0
  const isByVendor = vendor !== undefined || rule.groupBy === 'vendor'

  return {
    counters(spend) {
      const counted = place(spend)
      return typeof counted === 'object' ? [counted] : []
    },
    series: [{ name: series, layout, needsCount: rule.maxCount !== undefined }],
    readsVendor: (spend) => isByVendor && mayMatch(match, spend),

    check(situation) {
      const { amount: spent } = situation.spend
      const counted = place(situation.spend)
      if (counted === 'elsewhere') {
        return pass(null, limit, 'The limit does not apply to this spend.', window)
      }
      if (counted === 'unknown') {
        const message = 'The spend has no category, but the limit depends on it.'
        return fail(codes.category_required, null, limit, message, window)
      }
      const { count, amount } = soFar(counted, situation)
      const countAfter = count + countOf(situation.spend)
      if (isFull(count, situation.spend)) {
        const message = `${count} of ${maxCount} spends were already made (window: ${window}).`
        return fail(codes.limit_count_exceeded, countAfter, maxCount, message, window)
      }
      const after = amount + spent
      if (maxAmount !== undefined && after > most) {
        const { currency } = mandate
        const message = `The spend would raise the total to ${showMoney(after, currency)}; the limit is ${showMoney(most, currency)} (window: ${window}).`
        return fail(codes.limit_amount_exceeded, toUnits(after), maxAmount, message, window)
      }
      const observed = maxAmount === undefined ? countAfter : toUnits(after)
      return pass(observed, limit, 'The spend is within the limit.', window)
    },

    amountMax(situation) {
      const counted = place(situation.spend)
      if (counted === 'elsewhere') return MICROS_MAX
      if (counted === 'unknown') return 0n
      const { count, amount } = soFar(counted, situation)
      if (isFull(count, situation.spend) || amount >= most) return 0n
      return maxAmount === undefined ? MICROS_MAX : most - amount
    },

    passesAt(situation) {
      const { spend } = situation
      const counted = place(spend)
      if (typeof counted !== 'object') return undefined
      return whenLittleEnough(
        counted,
        situation,
        ({ count, amount }) =>
          !isFull(count, spend) && (maxAmount === undefined || amount + spend.amount <= most),
      )
    },
  }
}

/**
 * The series that a limit counts. Two limits have the same text exactly if they count the same
 * spends.
 */
function seriesOf(limit: Limit): string {
  const { groupBy, match = {} } = limit
  const scope = `${match.vendor ?? ''},${match.category ?? ''},${match.path ?? ''}`
  return seriesName(windowOf(limit), groupBy ?? 'all', scope)
}

function windowOf({ window: text }: Limit): Window {
  const window = parseWindow(text)
  assert(window, 'the window of a limit was inspected')
  return window
}

/**
 * Finds the counter that a spend belongs to. A limit on one category cannot tell whether a spend
 * without a category belongs to it, and a rule that cannot tell fails.
 */
function placing(
  { groupBy, match = {} }: Limit,
  prefix: string,
  layout: BucketLayout,
): (spend: Spend) => Counted | 'elsewhere' | 'unknown' {
  const all = { key: prefix, layout }
  const needsCategory = groupBy === 'category' || match.category !== undefined

  return (spend) => {
    if (!mayMatch(match, spend)) return 'elsewhere'
    if (needsCategory && spend.category === null) return 'unknown'
    if (groupBy === undefined) return all
    return { key: prefix + spend[groupBy], layout }
  }
}
