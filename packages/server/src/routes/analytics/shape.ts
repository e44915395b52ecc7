import { type Static, Type } from 'typebox'
import { DIMENSIONS, type Dimension } from '../../core/analytics/dimensions.ts'
import { INTERVALS } from '../../core/analytics/range.ts'
import { toPublicId } from '../../core/id.ts'
import { toUnits } from '../../core/money.ts'
import { EXAMPLE_AGENT_ID, EXAMPLE_SPEND } from '../../http/document/examples.ts'
import { nullable, SpendCurrency, Sum, Timestamp } from '../../http/document/schemas.ts'
import { DateOrTime } from '../../http/validation/query-times.ts'
import type { ReadSum, SummedMetric } from '../../storage/analytics/read-sums.ts'

export const METRICS = ['spend', 'rejections', 'approvals', 'exposure', 'forecast'] as const

const DateText = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  examples: ['2026-11-01'],
})
const dimension = `(?:${DIMENSIONS.join('|')})`

export const AnalyticsQuery = Type.Object(
  {
    metric: Type.Enum([...METRICS], {
      type: 'string',
      default: 'spend',
      description:
        "`spend`: amounts of approved spends, by the day of the decision. `rejections`: rejected spends. `approvals`: spends that needed a person's approval, and spends that passed with one. `exposure`: the highest amount that agents can still spend until `to`, by agent or mandate. `forecast`: the expected spend until `to`, from the average of the last 7 days.",
    }),
    groupBy: Type.Optional(
      Type.String({
        pattern: `^${dimension}(?:,${dimension})?$`,
        description: `At most two of ${DIMENSIONS.join(', ')}, separated by a comma.`,
        examples: ['agent,vendor'],
      }),
    ),
    interval: Type.Optional(
      Type.Enum([...INTERVALS], {
        type: 'string',
        description:
          'Split the range into days, weeks (from Monday) or months. Without it, the range is one total.',
      }),
    ),
    from: Type.Optional({
      ...DateOrTime,
      examples: ['2026-11-01'],
      description:
        "The first day in the organization's time zone, or the date-time at which it begins. Default: 30 days before `to`.",
    }),
    to: Type.Optional({
      ...DateOrTime,
      examples: ['2026-12-01'],
      description:
        'The day after the last day of the range, or the date-time at which it begins. Default: tomorrow, so that today is included; for `exposure` and `forecast`, 30 days from now.',
    }),
    top: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 10,
      description:
        'The number of groups to return per currency, largest first. All other groups are added up in one row.',
    }),
  },
  { additionalProperties: false },
)

const key = (description: string) => Type.Optional(nullable(Type.String({ description })))
const countAndAmount = (description: string) =>
  Type.Optional(
    Type.Object(
      { count: Type.Integer({ description: 'Number of spends.' }), amount: Sum },
      { description },
    ),
  )

const AnalyticsRow = Type.Object(
  {
    start: nullable({
      ...DateText,
      description: "The first day of the row's interval. Null without `interval`.",
    }),
    currency: SpendCurrency,
    group: nullable(
      Type.Object(
        {
          agent: key('The id of the agent.'),
          mandate: key('The id of the mandate.'),
          vendor: key('The host name of the vendor.'),
          category: key('The category.'),
          path: key('The payment path.'),
          rule: key('The id of the first rule that rejected or flagged the spend.'),
          code: key('The code of the decision.'),
        },
        {
          description:
            'The values of the `groupBy` dimensions. Null for the total of everything, and for the row of all other groups.',
        },
      ),
    ),
    names: nullable(
      Type.Object(
        {
          agent: key('The name of the agent.'),
          mandate: key('The name of the mandate.'),
          vendor: key('The name of the vendor.'),
        },
        {
          description:
            'The current or last names of the agent, mandate or vendor in `group`. Null if there is no name. A vendor has its name from the vendor directory, which agent-bound keys do not see.',
        },
      ),
    ),
    isOther: Type.Boolean({ description: 'True for the row that adds up all other groups.' }),
    count: Type.Optional(Type.Integer({ description: 'Number of decisions.' })),
    held: Type.Optional({
      ...Sum,
      description: 'Only for `spend`: the amount that is held and not yet settled.',
    }),
    settled: Type.Optional({ ...Sum, description: 'Only for `spend`: the settled amount.' }),
    refunded: Type.Optional({
      ...Sum,
      description: 'Only for `spend`: the refunded part of the settled amount.',
    }),
    net: Type.Optional({ ...Sum, description: 'Only for `spend`: `settled` minus `refunded`.' }),
    amount: Type.Optional(
      nullable({
        ...Sum,
        description:
          'For `rejections`: the requested amount. For `exposure`: the highest amount that can be spent until `to`. For `forecast`: the expected spend until `to`; null if there were fewer than 20 spends in 7 days.',
      }),
    ),
    perDay: Type.Optional(
      nullable({ ...Sum, description: 'Only for `forecast`: the average spend per day.' }),
    ),
    asked: countAndAmount("Only for `approvals`: spends that needed a person's approval."),
    used: countAndAmount('Only for `approvals`: spends that passed with an approval.'),
  },
  { title: 'AnalyticsRow' },
)

const IgnoredRule = Type.Object({
  mandateId: Type.String({ description: 'The id of the mandate.' }),
  ruleId: Type.String({ description: 'The id of the rule.' }),
  type: Type.String({ description: 'The type of the rule.' }),
})

const ANALYTICS_EXAMPLE = {
  metric: 'spend',
  groupBy: ['agent', 'vendor'],
  interval: 'day',
  timezone: 'UTC',
  from: '2026-11-01',
  to: '2026-12-01',
  fromAt: '2026-11-01T00:00:00.000Z',
  toAt: '2026-12-01T00:00:00.000Z',
  asOf: 6,
  asOfAt: '2026-11-15T09:31:00.000Z',
  isCurrent: true,
  isFolded: false,
  data: [
    {
      start: '2026-11-15',
      currency: 'USD',
      group: { agent: EXAMPLE_AGENT_ID, vendor: EXAMPLE_SPEND.vendor },
      names: { agent: 'Research agent', vendor: 'OpenAI' },
      isOther: false,
      count: 1,
      held: 0,
      settled: 12.5,
      refunded: 0,
      net: 12.5,
    },
  ],
}

export const ANALYTICS_CSV_EXAMPLE = [
  'start,currency,agent,agentName,vendor,vendorName,isOther,count,held,settled,refunded,net,asOfAt,isCurrent',
  `2026-11-15,USD,${EXAMPLE_AGENT_ID},Research agent,${EXAMPLE_SPEND.vendor},OpenAI,false,1,0,12.5,0,12.5,2026-11-15T09:31:00.000Z,true`,
]
  .map((line) => `${line}\r\n`)
  .join('')

export const Analytics = Type.Object(
  {
    metric: Type.Enum([...METRICS], { type: 'string' }),
    groupBy: Type.Array(Type.Enum([...DIMENSIONS], { type: 'string' }), {
      description: 'The dimensions of the groups.',
    }),
    interval: Type.Union([Type.Enum([...INTERVALS], { type: 'string' }), Type.Null()], {
      description: 'The interval of the rows. Null: the range is one total.',
    }),
    timezone: Type.String({
      description:
        "The time zone of the days. After the organization's time zone changes, this is the previous one until the totals are rebuilt.",
    }),
    from: { ...DateText, description: 'The first day of the range.' },
    to: { ...DateText, description: 'The day after the last day of the range.' },
    fromAt: {
      ...Timestamp,
      description:
        'When `from` begins (ISO 8601, UTC). Use it as `from` of the transaction export.',
    },
    toAt: {
      ...Timestamp,
      description: 'When `to` begins (ISO 8601, UTC). Use it as `to` of the transaction export.',
    },
    asOf: nullable(
      Type.Integer({
        description:
          'The number of the last counted event or change of the organization. Null if nothing is counted.',
      }),
    ),
    asOfAt: nullable({
      ...Timestamp,
      description:
        'The time up to which everything is counted (ISO 8601, UTC): the time of this response if `isCurrent`, otherwise the time of the last counted event. Null if that event is no longer stored.',
    }),
    isCurrent: Type.Boolean({
      description:
        'Whether everything is counted that has happened so far. If false, call again in a second.',
    }),
    isFolded: Type.Boolean({
      description:
        'True if a day had so many groups that some are only in the row of all other groups.',
    }),
    data: Type.Array(AnalyticsRow, {
      description:
        'One row per interval, currency and group, largest first. Empty groups are left out.',
    }),
    ignored: Type.Optional(
      Type.Array(IgnoredRule, {
        description:
          'Only for `exposure`: rules that may lower the amount further but are not taken into account.',
      }),
    ),
  },
  { title: 'Analytics', examples: [ANALYTICS_EXAMPLE] },
)

export type AnalyticsShape = Static<typeof Analytics>
export type AnalyticsRowShape = Static<typeof AnalyticsRow>
/** Names are read once for all rows. */
export type UnnamedRow = Omit<AnalyticsRowShape, 'names'>

/** The row of a total, without its amounts. */
export function toRow(
  sum: Pick<ReadSum, 'start' | 'currency' | 'isRest' | 'first' | 'second'>,
  groupBy: readonly Dimension[],
): Pick<AnalyticsRowShape, 'start' | 'currency' | 'group' | 'isOther'> {
  const keys = groupBy.length === 1 ? [sum.first || sum.second] : [sum.first, sum.second]
  const entries = groupBy.map((name, index) => [name, toKey(name, keys[index] ?? '')])
  return {
    start: sum.start,
    currency: sum.currency || null,
    group: groupBy.length === 0 || sum.isRest ? null : Object.fromEntries(entries),
    isOther: sum.isRest,
  }
}

export function toFigures(metric: SummedMetric, { measures }: ReadSum): Partial<AnalyticsRowShape> {
  const { held, settled, refunded } = measures
  switch (metric) {
    case 'spend':
      return {
        count: Number(measures.approvedCount),
        held: toUnits(held),
        settled: toUnits(settled),
        refunded: toUnits(refunded),
        net: toUnits(settled - refunded),
      }
    case 'rejections':
      return {
        count: Number(measures.rejectedCount),
        amount: toUnits(measures.rejectedAmount),
      }
    case 'approvals':
      return {
        asked: { count: Number(measures.askedCount), amount: toUnits(measures.askedAmount) },
        used: { count: Number(measures.usedCount), amount: toUnits(measures.usedAmount) },
      }
  }
}

function toKey(name: Dimension, key: string): string | null {
  if (key === '') return null
  return name === 'mandate' ? toPublicId('mnd', key) : key
}
