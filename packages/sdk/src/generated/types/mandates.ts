// Written by `npm run generate` from openapi.json. Do not change it by hand.

import type {
  ApprovalEffect,
  BudgetPeriod,
  Decision,
  DecisionCode,
  DuplicateField,
  Effect,
  LimitGrouping,
  LimitMatch,
  MandateWarning,
  PathName,
  RuleInput,
  ScheduleWindow,
  SortByUse,
} from './common.ts'

/**
 * `draft`: not in force yet. `active`: in force. `expired`: `validUntil` has passed. `revoked`:
 * ended for good.
 */
export type MandateStatus = 'draft' | 'active' | 'expired' | 'revoked'

/** Restricts which payment paths a spend may use. */
export interface PathsRule {
  readonly type: 'paths'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id: string
  readonly effect: Effect
  /** The payment paths that pass. */
  readonly allow: readonly PathName[]
}

/** Restricts which vendors a spend may pay: hosts, or `*.` for all subdomains. */
export interface VendorsRule {
  readonly type: 'vendors'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id: string
  readonly effect: Effect
  /** Only these vendors pass. Without it, every vendor that is not blocked passes. */
  readonly allow?: readonly string[] | undefined
  /** These vendors fail, even if they are also allowed. */
  readonly block?: readonly string[] | undefined
}

/** Restricts which categories a spend may have. */
export interface CategoriesRule {
  readonly type: 'categories'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id: string
  readonly effect: Effect
  /** Only these categories pass. Without it, every category that is not blocked passes. */
  readonly allow?: readonly string[] | undefined
  /** These categories fail, even if they are also allowed. */
  readonly block?: readonly string[] | undefined
}

/** Sets a minimum or a maximum for the amount of a single spend. */
export interface AmountRule {
  readonly type: 'amount'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id: string
  readonly effect: Effect
  /** The smallest amount that passes. In currency units, with at most six decimals. */
  readonly min?: number | undefined
  /** The largest amount that passes. In currency units, with at most six decimals. */
  readonly max?: number | undefined
}

/** Restricts spends to time windows of the week. */
export interface ScheduleRule {
  readonly type: 'schedule'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id: string
  readonly effect: Effect
  /** The windows in which a spend passes. */
  readonly windows: readonly ScheduleWindow[]
  /** IANA time zone of the windows. Default: the time zone of the mandate. */
  readonly timezone?: string | undefined
}

/** Limits the number or the total of spends within a time window. */
export interface LimitRule {
  readonly type: 'limit'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id: string
  readonly effect: Effect
  /** The maximum number of spends within the window. */
  readonly maxCount?: number | undefined
  /** The maximum total within the window. In currency units, with at most six decimals. */
  readonly maxAmount?: number | undefined
  /**
   * A rolling window (`90s`, `10m`, `1h`, `30d`; 10 s to 90 days), a calendar window in the time
   * zone of the mandate (`hour`, `day`, `week`, `month`), or the `period` of its budget.
   */
  readonly window: string
  readonly groupBy?: LimitGrouping | undefined
  /** Counts and limits only spends that match all of these. */
  readonly match?: LimitMatch | undefined
}

/** Stops a spend that repeats one approved shortly before. */
export interface DuplicateRule {
  readonly type: 'duplicate'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id: string
  readonly effect: Effect
  /** How long a spend is remembered: 10 s to 90 days. */
  readonly window: string
  /**
   * Spends that agree in all of these fields are duplicates. Default: vendor, amount, reference.
   */
  readonly match?: readonly DuplicateField[] | undefined
}

/** Stops the first spend of an agent at a vendor. */
export interface NewVendorRule {
  readonly type: 'new_vendor'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id: string
  readonly effect: Effect
}

/** Stops a spend that costs much more than the last one at the vendor. */
export interface PriceDriftRule {
  readonly type: 'price_drift'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id: string
  readonly effect: Effect
  /** The largest increase over the last price that passes, in percent. 0 allows no increase. */
  readonly maxIncreasePercent: number
}

/** Passes if a CEL expression about the spend is true. */
export interface ExpressionRule {
  readonly type: 'expression'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id: string
  readonly effect: Effect
  /** A CEL expression that is true or false. Write amounts as money('20'). */
  readonly expr: string
}

/** Requires the approval of a person before a spend. */
export interface ApprovalRule {
  readonly type: 'approval'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id: string
  readonly effect: ApprovalEffect
  /**
   * Only larger amounts need approval. Without it, every spend does. In currency units, with at
   * most six decimals.
   */
  readonly above?: number | undefined
  /** How long the request waits for an answer: 1 minute to 7 days. Default: 30m. */
  readonly expiresIn?: string | undefined
}

export type Rule =
  | PathsRule
  | VendorsRule
  | CategoriesRule
  | AmountRule
  | ScheduleRule
  | LimitRule
  | DuplicateRule
  | NewVendorRule
  | PriceDriftRule
  | ExpressionRule
  | ApprovalRule

export interface Mandate {
  /** The id of the mandate. */
  readonly id: string
  /** The id of an agent. */
  readonly agentId: string
  /**
   * The current or last name of the agent. Only in responses to GET /mandates and GET
   * /mandates/:id.
   */
  readonly agentName?: string | null | undefined
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  readonly status: MandateStatus
  /** The version of the mandate. Every change of an active mandate raises it by one. */
  readonly version: number
  /**
   * For a draft of a next version: the id of the active mandate that it changes. Null otherwise.
   */
  readonly draftOf: string | null
  /** The version of `draftOf` that the draft was made from. */
  readonly draftOfVersion: number | null
  /** ISO 4217 code, or USDC or EURC. */
  readonly currency: string
  /** IANA time zone. Days, budget periods and calendar windows follow it. */
  readonly timezone: string
  /** When the mandate begins to apply (ISO 8601, UTC). Null: as soon as it is active. */
  readonly validFrom: string | null
  /** When the mandate expires (ISO 8601, UTC). Null: never. */
  readonly validUntil: string | null
  /** The id of the parent mandate. Null if it has none. */
  readonly parentMandateId: string | null
  /**
   * The budget per period, or in total if `budgetPeriod` is `none`. In units of the currency, more
   * than 0, with at most six decimals.
   */
  readonly budgetTotal: number
  /** The amount used in the current period, including holds, in units of the currency. */
  readonly budgetSpent: number
  /** The part of `budgetSpent` that is held and not yet settled, in units of the currency. */
  readonly budgetHeld: number
  /** The budget that remains in the current period, in units of the currency. */
  readonly remainingBudget: number
  /** The used part of the budget in percent, rounded down. */
  readonly percentUsed: number
  /** Whether the whole budget is used. */
  readonly exhausted: boolean
  readonly budgetPeriod: BudgetPeriod
  /** When the current budget period began (ISO 8601, UTC). */
  readonly periodStart: string | null
  /** When the budget resets (ISO 8601, UTC). */
  readonly periodEnd: string | null
  /** The rules that every spend must pass. */
  readonly rules: readonly Rule[]
  /**
   * The used parts of the budget, in percent, at which a `mandate.budget.warning` event is sent;
   * `mandate.budget.exhausted` follows at 100 in any case. Sorted in responses. A child mandate
   * does not inherit them. Default: [80].
   */
  readonly warningPercents: readonly number[]
  /**
   * Whether mandate tokens for other recipients contain the largest amount of a single spend. A
   * child mandate does not inherit this setting. Default: false.
   */
  readonly discloseLimits: boolean
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  /** When the mandate was activated (ISO 8601, UTC). */
  readonly activatedAt: string | null
  /** When the mandate was revoked (ISO 8601, UTC). */
  readonly revokedAt: string | null
  /** When the mandate was archived (ISO 8601, UTC). */
  readonly archivedAt: string | null
  /** ISO 8601 timestamp in UTC. */
  readonly updatedAt: string
  /**
   * Who made the change: an API key (`key_…`), a member (`mem_…`), `cli` for an operator command,
   * or `system` for the gateway itself. Null if it was not recorded.
   */
  readonly updatedBy: string | null
  /**
   * The current or last name of that key or member. Null for `cli` and `system`, and for
   * agent-bound keys. Only in responses to GET.
   */
  readonly updatedByName?: string | null | undefined
  /**
   * Warnings about the mandate's rules. Only in responses to a creation, a change or an activation.
   */
  readonly warnings?: readonly MandateWarning[] | undefined
}

export interface MandateInput {
  /** The id of the agent. Required unless `draftOf` is set. */
  readonly agentId?: string | undefined
  /**
   * The budget per period, or in total if `budgetPeriod` is `none`. In units of the currency, more
   * than 0, with at most six decimals. Required unless `draftOf` is set.
   */
  readonly budgetTotal?: number | undefined
  /**
   * The id of an active mandate. Makes this a draft of its next version, at most 10 per mandate.
   * Only `name`, `rules`, `validUntil`, `budgetTotal`, `warningPercents` and `discloseLimits` are
   * allowed with it; omitted ones keep the values of the active mandate. Activating the draft
   * creates the next version and removes the draft.
   */
  readonly draftOf?: string | undefined
  /**
   * The id of the parent mandate. Makes this mandate a child mandate, which can only be stricter
   * than its parent.
   */
  readonly parentMandateId?: string | null | undefined
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | undefined
  /** ISO 4217 code, or USDC or EURC. */
  readonly currency?: string | undefined
  /** IANA time zone. Days, budget periods and calendar windows follow it. */
  readonly timezone?: string | undefined
  /** When the mandate begins to apply (ISO 8601, UTC). Null: as soon as it is active. */
  readonly validFrom?: string | null | undefined
  /** When the mandate expires (ISO 8601, UTC). Null: never. */
  readonly validUntil?: string | null | undefined
  readonly budgetPeriod?: BudgetPeriod | undefined
  /**
   * The rules that every spend must pass, at most 64. Without rules, only the budget limits the
   * spending.
   */
  readonly rules?: readonly RuleInput[] | undefined
  /**
   * The used parts of the budget, in percent, at which a `mandate.budget.warning` event is sent;
   * `mandate.budget.exhausted` follows at 100 in any case. Sorted in responses. A child mandate
   * does not inherit them. Default: [80].
   */
  readonly warningPercents?: readonly number[] | undefined
  /**
   * Whether mandate tokens for other recipients contain the largest amount of a single spend. A
   * child mandate does not inherit this setting. Default: false.
   */
  readonly discloseLimits?: boolean | undefined
}

export interface MandateList {
  /** The entries of this page, newest first. */
  readonly data: readonly Mandate[]
  /** How many entries match in total. Counting stops at 10,000. */
  readonly total: number
  /** False if there are, or may be, more entries than `total`. */
  readonly totalIsExact: boolean
  /** The `limit` of the request. */
  readonly limit: number
  /** The `offset` of the request. */
  readonly offset: number
  /** Whether there is a next page. */
  readonly hasMore: boolean
  /** Pass this value as `cursor` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
}

export interface MandateChange {
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | undefined
  /** ISO 4217 code, or USDC or EURC. */
  readonly currency?: string | undefined
  /** IANA time zone. Days, budget periods and calendar windows follow it. */
  readonly timezone?: string | undefined
  /** When the mandate begins to apply (ISO 8601, UTC). Null: as soon as it is active. */
  readonly validFrom?: string | null | undefined
  /** When the mandate expires (ISO 8601, UTC). Null: never. */
  readonly validUntil?: string | null | undefined
  readonly budgetPeriod?: BudgetPeriod | undefined
  /**
   * The rules that every spend must pass, at most 64. Without rules, only the budget limits the
   * spending.
   */
  readonly rules?: readonly RuleInput[] | undefined
  /**
   * The used parts of the budget, in percent, at which a `mandate.budget.warning` event is sent;
   * `mandate.budget.exhausted` follows at 100 in any case. Sorted in responses. A child mandate
   * does not inherit them. Default: [80].
   */
  readonly warningPercents?: readonly number[] | undefined
  /**
   * Whether mandate tokens for other recipients contain the largest amount of a single spend. A
   * child mandate does not inherit this setting. Default: false.
   */
  readonly discloseLimits?: boolean | undefined
  /**
   * The budget per period, or in total if `budgetPeriod` is `none`. In units of the currency, more
   * than 0, with at most six decimals.
   */
  readonly budgetTotal?: number | undefined
  /**
   * The `version` that your change is based on. If the mandate has a different version now, the
   * response is 409 `changed_meanwhile`, which lists the changes, and nothing is changed. The
   * header If-Match does the same.
   */
  readonly expectedVersion?: number | undefined
  /**
   * The `updatedAt` that your change is based on (ISO 8601, UTC). If it is different now, the
   * response is 409 `changed_meanwhile`, which lists the changes, and nothing is changed. The
   * header If-Match does the same.
   */
  readonly expectedUpdatedAt?: string | undefined
}

export interface DeletedMandate {
  /** The id of the mandate. */
  readonly id: string
  /** Whether a draft was deleted. */
  readonly deleted: boolean
  /** Whether an ended mandate was archived. */
  readonly archived: boolean
}

export interface ActivationInput {
  /**
   * Whether to revoke the agent's active mandate and its child mandates in the same step. Without
   * it, the response is 409 `mandate_conflict` if the agent has an active mandate. Default: false.
   */
  readonly replace?: boolean | undefined
  /**
   * The `version` that your change is based on. If the mandate has a different version now, the
   * response is 409 `changed_meanwhile`, which lists the changes, and nothing is changed. The
   * header If-Match does the same.
   */
  readonly expectedVersion?: number | undefined
  /**
   * The `updatedAt` that your change is based on (ISO 8601, UTC). If it is different now, the
   * response is 409 `changed_meanwhile`, which lists the changes, and nothing is changed. The
   * header If-Match does the same.
   */
  readonly expectedUpdatedAt?: string | undefined
}

export interface MandateRevocationInput {
  /** The reason for revoking the mandate, at most 500 characters. The audit log keeps it. */
  readonly reason?: string | undefined
}

export interface BudgetChange {
  /**
   * Amount in units of the currency (12.5 means 12.50 USD). Must be more than 0, with at most six
   * decimals.
   */
  readonly budgetTotal: number
  /**
   * The `version` that your change is based on. If the mandate has a different version now, the
   * response is 409 `changed_meanwhile`, which lists the changes, and nothing is changed. The
   * header If-Match does the same.
   */
  readonly expectedVersion?: number | undefined
  /**
   * The `updatedAt` that your change is based on (ISO 8601, UTC). If it is different now, the
   * response is 409 `changed_meanwhile`, which lists the changes, and nothing is changed. The
   * header If-Match does the same.
   */
  readonly expectedUpdatedAt?: string | undefined
}

export interface MandateDifference {
  /** The changed field. */
  readonly field: string
  /** The value before the change. Null if there was none. */
  readonly before: unknown
  /** The value after the change. Null if it was removed. */
  readonly after: unknown
}

export interface MandateVersion {
  /** The number of this version. */
  readonly version: number
  /** When this version was created (ISO 8601, UTC). */
  readonly changedAt: string
  /**
   * Who made the change: an API key (`key_…`), a member (`mem_…`), `cli` for an operator command,
   * or `system` for the gateway itself. Null if it was not recorded.
   */
  readonly changedBy: string | null
  /**
   * The current or last name of that key or member. Null for `cli` and `system`, and for
   * agent-bound keys. Only in responses to GET.
   */
  readonly changedByName?: string | null | undefined
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  /** ISO 4217 code, or USDC or EURC. */
  readonly currency: string
  /** IANA time zone. Days, budget periods and calendar windows follow it. */
  readonly timezone: string
  /** When the mandate begins to apply (ISO 8601, UTC). Null: as soon as it is active. */
  readonly validFrom: string | null
  /** When the mandate expires (ISO 8601, UTC). Null: never. */
  readonly validUntil: string | null
  readonly budgetPeriod: BudgetPeriod
  /**
   * The budget per period, or in total if `budgetPeriod` is `none`. In units of the currency, more
   * than 0, with at most six decimals.
   */
  readonly budgetTotal: number
  /** The rules of this version. */
  readonly rules: readonly Rule[]
  /**
   * The used parts of the budget, in percent, at which a `mandate.budget.warning` event is sent;
   * `mandate.budget.exhausted` follows at 100 in any case. Sorted in responses. A child mandate
   * does not inherit them. Default: [80].
   */
  readonly warningPercents: readonly number[]
  /**
   * Whether mandate tokens for other recipients contain the largest amount of a single spend. A
   * child mandate does not inherit this setting. Default: false.
   */
  readonly discloseLimits: boolean
  /** The changes compared with the previous version. */
  readonly changes: readonly MandateDifference[]
}

export interface MandateVersionList {
  /** The entries of this page, newest first. */
  readonly data: readonly MandateVersion[]
  /** How many entries match in total. Counting stops at 10,000. */
  readonly total: number
  /** False if there are, or may be, more entries than `total`. */
  readonly totalIsExact: boolean
  /** The `limit` of the request. */
  readonly limit: number
  /** The `offset` of the request. */
  readonly offset: number
  /** Whether there is a next page. */
  readonly hasMore: boolean
  /** Pass this value as `cursor` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
}

export interface BacktestInput {
  /**
   * The rules to test instead of the mandate's own rules. Send either `rules` or `version`. With
   * `budgetTotal` or `agentHistory`, both are optional; the default is the mandate's own rules.
   */
  readonly rules?: readonly RuleInput[] | undefined
  /** Test the rules of this version of the mandate. Send either `rules` or `version`. */
  readonly version?: number | undefined
  /**
   * The budget to test, per period, in units of the currency. Default: the budget at each decision
   * or, with `agentHistory`, the present budget.
   */
  readonly budgetTotal?: number | undefined
  /**
   * If true, also replay the agent's spends under its other mandates, as if this mandate had been
   * active for the agent's whole history. Use it to test a draft. Default: false.
   */
  readonly agentHistory?: boolean | undefined
  /**
   * Only decisions made at or after this time. A date (`2026-11-01`) means its start in the
   * organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly from?: string | undefined
  /**
   * Only decisions made before this time. A date (`2026-11-01`) means its start in the
   * organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly to?: string | undefined
  /** How many changed decisions to return in `examples`, largest amount first. Default: 10. */
  readonly examples?: number | undefined
}

export interface MoneyEachWay {
  /**
   * The currency of the amounts: ISO 4217 code, or USDC or EURC. Null if neither the spend nor a
   * mandate names one.
   */
  readonly currency: string | null
  /** The amount of rejected spends that the tested rules approve, in units of the currency. */
  readonly newlyApproved: number
  /** The amount of approved spends that the tested rules reject, in units of the currency. */
  readonly newlyRejected: number
}

export interface FlipReason {
  /** The code of the original decision. */
  readonly before: string
  /** The code that the tested rules give. */
  readonly after: string
  /** Number of decisions that changed in this way. */
  readonly count: number
  /**
   * Per currency: the additional amount that would be spent, and the amount that would no longer be
   * spent.
   */
  readonly money: readonly MoneyEachWay[]
}

export interface RuleEffect {
  /** The id of the rule. For a rule of a parent mandate, the parent's id comes first. */
  readonly id: string
  /** The type of the rule. */
  readonly type: string
  /** Number of spends that this rule would reject. */
  readonly stoodInTheWay: number
  /** Number of spends for which this rule would require a person's approval. */
  readonly askedPerson: number
  /** Number of spends that this rule would flag. */
  readonly flagged: number
  /** Number of approved spends for which this rule is the first to reject them now. */
  readonly newlyRejected: number
  /**
   * Per currency: the additional amount that would be spent, and the amount that would no longer be
   * spent.
   */
  readonly money: readonly MoneyEachWay[]
}

export interface OriginalDecision {
  readonly decision: Decision
  readonly code: DecisionCode | (string & {})
  /** The first rule that failed. Null if none did. */
  readonly ruleId: string | null
}

export interface ReplayedDecision {
  readonly decision: Decision
  readonly code: DecisionCode | (string & {})
  /** The first rule that failed. Null if none did. */
  readonly ruleId: string | null
  /** The new decision explained in one sentence. */
  readonly message: string
}

export interface FlippedDecision {
  /** The id of the transaction. */
  readonly transactionId: string
  /** When the spend was decided (ISO 8601, UTC). */
  readonly createdAt: string
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
  /**
   * The currency of the amounts: ISO 4217 code, or USDC or EURC. Null if neither the spend nor a
   * mandate names one.
   */
  readonly currency: string | null
  /** The original decision. */
  readonly before: OriginalDecision
  /** The decision with the tested rules. */
  readonly after: ReplayedDecision
}

/**
 * `details_removed`: retention removed the decision's details. `inputs_not_kept`: the inputs of the
 * decision were not stored. `changes_not_kept`: the later changes of the transaction were not
 * stored.
 */
export type NotReplayedReason = 'details_removed' | 'inputs_not_kept' | 'changes_not_kept'

export interface NotReplayed {
  readonly reason: NotReplayedReason
  /** Number of decisions. */
  readonly count: number
}

export interface Backtest {
  /**
   * True if the backtest stopped at `replayedTo` because of the time limit, with later decisions
   * left.
   */
  readonly partial: boolean
  /** When the first replayed decision was made (ISO 8601, UTC). */
  readonly from: string | null
  /** When the last replayed decision was made (ISO 8601, UTC). */
  readonly replayedTo: string | null
  /** Number of replayed decisions. */
  readonly replayed: number
  /** Number of spends that were approved originally. */
  readonly approvedBefore: number
  /** Number of spends that the tested rules approve. */
  readonly approvedNow: number
  /** Number of approved spends that the tested rules reject. */
  readonly newlyRejected: number
  /** Number of rejected spends that the tested rules approve. */
  readonly newlyApproved: number
  /** Number of spends with the same decision but a different code. */
  readonly otherCode: number
  /** Number of spends that would now need a person's approval and did not before. */
  readonly newlyAsked: number
  /**
   * Number of decisions taken from the record instead of being evaluated with the tested rules.
   * `assumptions` explains which.
   */
  readonly takenFromRecord: number
  /**
   * Per currency: the additional amount that would be spent, and the amount that would no longer be
   * spent.
   */
  readonly money: readonly MoneyEachWay[]
  /** The changed decisions, by code before and after. */
  readonly reasons: readonly FlipReason[]
  /** The effect of each tested rule. */
  readonly rules: readonly RuleEffect[]
  /** Changed decisions, largest amount first. */
  readonly examples: readonly FlippedDecision[]
  /**
   * Decisions that were not replayed because not enough data about them is stored. They keep their
   * outcome.
   */
  readonly notReplayed: readonly NotReplayed[]
  /** The assumptions of this backtest, one sentence each. */
  readonly assumptions: readonly string[]
  /**
   * Warnings about the tested rules: rules that contradict each other, rules that can never pass
   * and, for a child mandate, rules that allow more than a parent does. A change to such rules can
   * fail with `mandate_wider_than_parent`.
   */
  readonly warnings: readonly MandateWarning[]
}

/** The query of “List mandates, newest first”. */
export interface ListMandatesQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
  /** Only mandates of this agent. */
  readonly agentId?: string | undefined
  /** Only mandates with this status. */
  readonly status?: MandateStatus | undefined
  /** Only child mandates of this mandate. */
  readonly parentMandateId?: string | undefined
  /**
   * Only mandates whose name, or whose agent's name, contains this text, in upper or lower case.
   */
  readonly q?: string | undefined
  /**
   * Largest used part of the budget first, for agents that of the active mandate. Default: newest
   * first. Budgets change while you page, so an entry can appear twice or not at all.
   */
  readonly sort?: SortByUse | undefined
  /** Only drafts of the next version of this mandate. */
  readonly draftOf?: string | undefined
  /** If true, return only archived mandates. Otherwise archived mandates are left out. */
  readonly archived?: boolean | undefined
}

/** The query of “List a mandate's versions and their changes, newest first”. */
export interface ListMandateVersionsQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
}
