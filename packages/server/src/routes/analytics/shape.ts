import { type Static, Type } from 'typebox'
import { DIMENSIONS, type Dimension } from '../../core/analytics/dimensions.ts'
import { INTERVALS } from '../../core/analytics/range.ts'
import { toPublicId } from '../../core/id.ts'
import { toUnits } from '../../core/money.ts'
import { EXAMPLE_AGENT_ID, EXAMPLE_SPEND } from '../../http/document/examples.ts'
import { nullable, Sum, Timestamp } from '../../http/document/schemas.ts'
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
        '`spend`: money of approved spends, by the day of the decision. `rejections`: what was refused. `approvals`: where a person was asked, and what was approved with an answer. `exposure`: the most that can be spent until `to`, by agent or mandate. `forecast`: the spend until `to`, by the mean of the last 7 days.',
    }),
    groupBy: Type.Optional(
      Type.String({
        pattern: `^${dimension}(?:,${dimension})?$`,
        description: `At most two of ${DIMENSIONS.join(', ')}, with a comma between.`,
        examples: ['agent,vendor'],
      }),
    ),
    interval: Type.Optional(
      Type.Enum([...INTERVALS], {
        type: 'string',
        description: 'Tells the days, weeks (from Monday) or months of the range apart.',
      }),
    ),
    from: Type.Optional({
      ...DateOrTime,
      examples: ['2026-11-01'],
      description:
        'The first day, in the time zone of the organization, or the date-time at which it begins. By default 30 days.',
    }),
    to: Type.Optional({
      ...DateOrTime,
      examples: ['2026-12-01'],
      description:
        'The first day that does not belong to the range. By default tomorrow; of `exposure` and `forecast`, 30 days from now.',
    }),
    top: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 10,
      description: 'How many groups are told apart for each currency. The others are summed up.',
    }),
  },
  { additionalProperties: false },
)

const Key = nullable(Type.String())
const CountAndAmount = Type.Object({ count: Type.Integer(), amount: Sum })

const AnalyticsRow = Type.Object(
  {
    start: nullable({
      ...DateText,
      description: 'The first day of the interval, if there is one.',
    }),
    currency: nullable(Type.String()),
    group: nullable(
      Type.Object(
        {
          agent: Type.Optional(Key),
          mandate: Type.Optional(Key),
          vendor: Type.Optional(Key),
          category: Type.Optional(Key),
          path: Type.Optional(Key),
          rule: Type.Optional(Key),
          code: Type.Optional(Key),
        },
        { description: 'Null for the sum of all, and for all other groups together.' },
      ),
    ),
    names: nullable(
      Type.Object(
        { agent: Type.Optional(Key), mandate: Type.Optional(Key), vendor: Type.Optional(Key) },
        {
          description:
            'What the agent, mandate or vendor of `group` is called now, or was called last. Null where it has no name; vendors have that of the directory, which a key bound to agents is not told.',
        },
      ),
    ),
    isOther: Type.Boolean({ description: 'All groups that are not told apart.' }),
    count: Type.Optional(Type.Integer({ description: 'How many decisions.' })),
    held: Type.Optional({ ...Sum, description: 'Of `spend`: what is held and not settled yet.' }),
    settled: Type.Optional({ ...Sum, description: 'Of `spend`: what was settled.' }),
    refunded: Type.Optional({ ...Sum, description: 'Of `spend`: what was given back of it.' }),
    net: Type.Optional({ ...Sum, description: 'Of `spend`: settled less refunded.' }),
    amount: Type.Optional(
      nullable({
        ...Sum,
        description:
          'Of `rejections`: what was asked for. Of `exposure`: the most that can be spent until `to`. Of `forecast`: until `to`; null under 20 spends in 7 days.',
      }),
    ),
    perDay: Type.Optional(nullable({ ...Sum, description: 'Of `forecast`: the mean of a day.' })),
    asked: Type.Optional(CountAndAmount),
    used: Type.Optional(CountAndAmount),
  },
  { title: 'AnalyticsRow' },
)

const IgnoredRule = Type.Object({
  mandateId: Type.String(),
  ruleId: Type.String(),
  type: Type.String(),
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
    groupBy: Type.Array(Type.Enum([...DIMENSIONS], { type: 'string' })),
    interval: nullable(Type.Enum([...INTERVALS], { type: 'string' })),
    timezone: Type.String({
      description:
        'The zone of the days. After a change of the zone it is the old one until everything is counted anew.',
    }),
    from: { ...DateText, description: 'The first day.' },
    to: { ...DateText, description: 'The first day that does not belong to it.' },
    fromAt: { ...Timestamp, description: 'When `from` begins: the `from` of the export.' },
    toAt: { ...Timestamp, description: 'When `to` begins: the `to` of the export.' },
    asOf: nullable(
      Type.Integer({
        description:
          'The number in the feed of the organization up to which everything is counted. Null where nothing is counted.',
      }),
    ),
    asOfAt: nullable({
      ...Timestamp,
      description:
        'The time up to which everything is counted: that of this answer where `isCurrent`, and otherwise that of the last event that is counted. Null where that is not kept any more.',
    }),
    isCurrent: Type.Boolean({
      description:
        'Whether everything is counted that has happened. Where it is false, ask again in a second.',
    }),
    isFolded: Type.Boolean({
      description:
        'Whether there were so many groups in a day that some are only in the row of all others.',
    }),
    data: Type.Array(AnalyticsRow),
    ignored: Type.Optional(
      Type.Array(IgnoredRule, {
        description: 'Of `exposure`: rules that may bound it further and are not counted.',
      }),
    ),
  },
  { title: 'Analytics', examples: [ANALYTICS_EXAMPLE] },
)

export type AnalyticsShape = Static<typeof Analytics>
export type AnalyticsRowShape = Static<typeof AnalyticsRow>
/** Names are read once for all rows. */
export type UnnamedRow = Omit<AnalyticsRowShape, 'names'>

/** The row of a sum, without its figures. */
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
