import { Type } from 'typebox'
import { Money, nullable, timeWhen } from '../../http/document/schemas.ts'

export const Currency = Type.String({
  format: 'currency',
  description: 'ISO 4217 code, or USDC or EURC.',
  examples: ['USD'],
})
export const TimeZone = Type.String({
  format: 'time-zone',
  description: 'IANA time zone. Days, budget periods and calendar windows follow it.',
  examples: ['Europe/Berlin'],
})
export const ValidFrom = nullable(
  timeWhen('When the mandate begins to apply', 'Null: as soon as it is active.'),
)
export const ValidUntil = nullable(timeWhen('When the mandate expires', 'Null: never.'))
export const BudgetPeriod = Type.Enum(['none', 'daily', 'weekly', 'monthly', 'yearly'], {
  type: 'string',
  description:
    "How often the budget resets, by the calendar in the mandate's time zone. `none`: it never resets.",
})

export const BudgetTotal = {
  ...Money,
  description:
    'The budget per period, or in total if `budgetPeriod` is `none`. In units of the currency, more than 0, with at most six decimals.',
}

export const WarningPercents = Type.Array(Type.Integer({ minimum: 1, maximum: 99 }), {
  maxItems: 10,
  uniqueItems: true,
  description:
    'The used parts of the budget, in percent, at which a `mandate.budget.warning` event is sent; `mandate.budget.exhausted` follows at 100 in any case. Sorted in responses. A child mandate does not inherit them. Default: [80].',
  examples: [[50, 80, 95]],
})

export const DiscloseLimits = Type.Boolean({
  description:
    'Whether mandate tokens for other recipients contain the largest amount of a single spend. A child mandate does not inherit this setting. Default: false.',
})
