// Written by `npm run generate` from openapi.json. Do not change it by hand.

/** The measure of the totals. */
export type AnalyticsMetric = 'spend' | 'rejections' | 'approvals' | 'exposure' | 'forecast'

/** `week` begins on Monday. */
export type AnalyticsInterval = 'day' | 'week' | 'month'

/** A dimension to group totals by. */
export type AnalyticsDimension =
  | 'agent'
  | 'mandate'
  | 'vendor'
  | 'category'
  | 'path'
  | 'rule'
  | 'code'

export interface AnalyticsGroup {
  /** The id of the agent. */
  readonly agent?: string | null | undefined
  /** The id of the mandate. */
  readonly mandate?: string | null | undefined
  /** The host name of the vendor. */
  readonly vendor?: string | null | undefined
  /** The category. */
  readonly category?: string | null | undefined
  /** The payment path. */
  readonly path?: string | null | undefined
  /** The id of the first rule that rejected or flagged the spend. */
  readonly rule?: string | null | undefined
  /** The code of the decision. */
  readonly code?: string | null | undefined
}

export interface AnalyticsNames {
  /** The name of the agent. */
  readonly agent?: string | null | undefined
  /** The name of the mandate. */
  readonly mandate?: string | null | undefined
  /** The name of the vendor. */
  readonly vendor?: string | null | undefined
}

export interface CountedAmount {
  /** Number of spends. */
  readonly count: number
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
}

export interface AnalyticsRow {
  /** The first day of the row's interval. Null without `interval`. */
  readonly start: string | null
  /**
   * The currency of the amounts: ISO 4217 code, or USDC or EURC. Null if neither the spend nor a
   * mandate names one.
   */
  readonly currency: string | null
  /**
   * The values of the `groupBy` dimensions. Null for the total of everything, and for the row of
   * all other groups.
   */
  readonly group: AnalyticsGroup | null
  /**
   * The current or last names of the agent, mandate or vendor in `group`. Null if there is no name.
   * A vendor has its name from the vendor directory, which agent-bound keys do not see.
   */
  readonly names: AnalyticsNames | null
  /** True for the row that adds up all other groups. */
  readonly isOther: boolean
  /** Number of decisions. */
  readonly count?: number | undefined
  /** Only for `spend`: the amount that is held and not yet settled. */
  readonly held?: number | undefined
  /** Only for `spend`: the settled amount. */
  readonly settled?: number | undefined
  /** Only for `spend`: the refunded part of the settled amount. */
  readonly refunded?: number | undefined
  /** Only for `spend`: `settled` minus `refunded`. */
  readonly net?: number | undefined
  /**
   * For `rejections`: the requested amount. For `exposure`: the highest amount that can be spent
   * until `to`. For `forecast`: the expected spend until `to`; null if there were fewer than 20
   * spends in 7 days.
   */
  readonly amount?: number | null | undefined
  /** Only for `forecast`: the average spend per day. */
  readonly perDay?: number | null | undefined
  /** Only for `approvals`: spends that needed a person's approval. */
  readonly asked?: CountedAmount | undefined
  /** Only for `approvals`: spends that passed with an approval. */
  readonly used?: CountedAmount | undefined
}

export interface IgnoredRule {
  /** The id of the mandate. */
  readonly mandateId: string
  /** The id of the rule. */
  readonly ruleId: string
  /** The type of the rule. */
  readonly type: string
}

export interface Analytics {
  readonly metric: AnalyticsMetric
  /** The dimensions of the groups. */
  readonly groupBy: readonly AnalyticsDimension[]
  /** The interval of the rows. Null: the range is one total. */
  readonly interval: AnalyticsInterval | null
  /**
   * The time zone of the days. After the organization's time zone changes, this is the previous one
   * until the totals are rebuilt.
   */
  readonly timezone: string
  /** The first day of the range. */
  readonly from: string
  /** The day after the last day of the range. */
  readonly to: string
  /** When `from` begins (ISO 8601, UTC). Use it as `from` of the transaction export. */
  readonly fromAt: string
  /** When `to` begins (ISO 8601, UTC). Use it as `to` of the transaction export. */
  readonly toAt: string
  /**
   * The number of the last counted event or change of the organization. Null if nothing is counted.
   */
  readonly asOf: number | null
  /**
   * The time up to which everything is counted (ISO 8601, UTC): the time of this response if
   * `isCurrent`, otherwise the time of the last counted event. Null if that event is no longer
   * stored.
   */
  readonly asOfAt: string | null
  /** Whether everything is counted that has happened so far. If false, call again in a second. */
  readonly isCurrent: boolean
  /** True if a day had so many groups that some are only in the row of all other groups. */
  readonly isFolded: boolean
  /** One row per interval, currency and group, largest first. Empty groups are left out. */
  readonly data: readonly AnalyticsRow[]
  /**
   * Only for `exposure`: rules that may lower the amount further but are not taken into account.
   */
  readonly ignored?: readonly IgnoredRule[] | undefined
}

/** The query of “Get spending totals, trends, exposure or a forecast”. */
export interface GetSpendAnalyticsQuery {
  /**
   * `spend`: amounts of approved spends, by the day of the decision. `rejections`: rejected spends.
   * `approvals`: spends that needed a person's approval, and spends that passed with one.
   * `exposure`: the highest amount that agents can still spend until `to`, by agent or mandate.
   * `forecast`: the expected spend until `to`, from the average of the last 7 days.
   */
  readonly metric?: AnalyticsMetric | undefined
  /** At most two of agent, mandate, vendor, category, path, rule, code, separated by a comma. */
  readonly groupBy?: string | undefined
  /**
   * Split the range into days, weeks (from Monday) or months. Without it, the range is one total.
   */
  readonly interval?: AnalyticsInterval | undefined
  /**
   * The first day in the organization's time zone, or the date-time at which it begins. Default: 30
   * days before `to`.
   */
  readonly from?: string | undefined
  /**
   * The day after the last day of the range, or the date-time at which it begins. Default:
   * tomorrow, so that today is included; for `exposure` and `forecast`, 30 days from now.
   */
  readonly to?: string | undefined
  /**
   * The number of groups to return per currency, largest first. All other groups are added up in
   * one row.
   */
  readonly top?: number | undefined
}
