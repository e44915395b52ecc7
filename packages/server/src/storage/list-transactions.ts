import type { Micros } from '../core/money.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'
import { type Condition, type Page, type PageRequest, pageOf } from './page.ts'
import { SEARCHED_MAX } from './page-statements.ts'
import { findRange, type RangeFilter } from './transaction-range.ts'
import {
  SHOWN_COLUMNS,
  SHOWN_COLUMNS_WITHOUT_DETAILS,
  type ShownTransaction,
} from './transactions.ts'

/** A list matches transactions with one of its values. */
export interface TransactionFilter extends RangeFilter {
  readonly decisions: readonly string[] | undefined
  readonly paths: readonly string[] | undefined
  readonly vendors: readonly string[] | undefined
  readonly categories: readonly string[] | undefined
  readonly codes: readonly string[] | undefined
  readonly reference: string | undefined
  /** The rule that analytics counts the transaction under. */
  readonly rule: string | undefined
  readonly approvalId: string | undefined
  /** The public id of the card. */
  readonly cardId: string | undefined
  /** A part of the vendor's host or of the reference. */
  readonly q: string | undefined
  /** Whether a rule flagged it, or something unusual happened to its money. */
  readonly isFlagged: boolean | undefined
  readonly minAmount: Micros | undefined
  readonly maxAmount: Micros | undefined
}

export interface ListOptions {
  /** False: the total is not counted. */
  readonly isCounted?: boolean
  /** False: the details are not read, and are null. */
  readonly hasDetails?: boolean
  /** Replaces the bound of a search; only tests use it. */
  readonly searchedMax?: number
}

/**
 * Lists transactions, newest first. Indexes have the id and the agent, and no more, because every
 * decision would pay for a further one. Other filters search a bounded number of rows.
 */
export async function listTransactions(
  db: Queryable,
  organizationId: string,
  filter: TransactionFilter,
  now: Instant,
  page: PageRequest,
  { isCounted = true, hasDetails = true, searchedMax = SEARCHED_MAX }: ListOptions = {},
): Promise<Page<ShownTransaction>> {
  const { conditions, parts, agents } = await findRange(db, organizationId, filter)
  return pageOf<ShownTransaction>(db, page, {
    columns: hasDetails ? SHOWN_COLUMNS : SHOWN_COLUMNS_WITHOUT_DETAILS,
    from: 'transactions',
    conditions,
    parts,
    filters: [...agents, ...toFilters(filter, now)],
    searchedMax,
    isCounted,
  })
}

function toFilters(filter: TransactionFilter, now: Instant): Condition[] {
  const { from, to } = filter
  const optional: (Condition | undefined)[] = [
    oneOf('mandate_id', filter.mandates, 'uuid'),
    oneOf('decision', filter.decisions),
    oneOf('path', filter.paths),
    oneOf('vendor', filter.vendors),
    oneOf('category', filter.categories),
    oneOf('code', filter.codes),
    equal('reference', filter.reference),
    equal('approval_id', filter.approvalId),
    equal(`path = 'card' and external->>'cardId'`, filter.cardId),
    filter.rule === undefined ? undefined : ruleCondition(filter.rule, filter.agentIds),
    filter.q === undefined ? undefined : [CONTAINS, filter.q, filter.q],
    filter.isFlagged === undefined ? undefined : flagCondition(filter.isFlagged, filter.agentIds),
    filter.statuses === undefined ? undefined : statusCondition(filter.statuses, now),
    filter.minAmount === undefined ? undefined : ['amount >= ?', filter.minAmount],
    filter.maxAmount === undefined ? undefined : ['amount <= ?', filter.maxAmount],
    from === undefined ? undefined : ['created_at >= ?', toIso(from)],
    to === undefined ? undefined : ['created_at < ?', toIso(to)],
  ]
  return optional.filter((condition) => condition !== undefined)
}

function equal(column: string, value: string | undefined): Condition | undefined {
  return value === undefined ? undefined : [`${column} = ?`, value]
}

function oneOf(
  column: string,
  values: readonly string[] | undefined,
  type = 'text',
): Condition | undefined {
  if (values === undefined) return undefined
  const [only, ...others] = values
  return others.length === 0 ? equal(column, only) : [`${column} = any(?::${type}[])`, values]
}

const CONTAINS = '(strpos(vendor, lower(?)) > 0 or strpos(lower(reference), lower(?)) > 0)'

/**
 * The first rule that rejected the spend, or else the first that flagged it, as analytics counts it.
 * A bound key does not see rules of parent mandates, whose ids contain a slash.
 */
function ruleCondition(rule: string, agentIds: TransactionFilter['agentIds']): Condition {
  if (agentIds !== null && rule.includes('/')) return ['false']
  const first = `case when decision = 'rejected'
                      then coalesce(details->>'firstFailure', flagged_by[1]) else flagged_by[1] end`
  return [`${first} = ?`, rule]
}

/**
 * A bound key does not see flags by rules of parent mandates; the ids of those rules contain a
 * slash.
 */
function flagCondition(isFlagged: boolean, agentIds: TransactionFilter['agentIds']): Condition {
  const byRule =
    agentIds === null
      ? 'flagged_by is not null'
      : `exists (select 1 from unnest(flagged_by) as rule (id) where rule.id not like '%/%')`
  const condition = `(flags is not null or ${byRule})`
  return [isFlagged ? condition : `not ${condition}`]
}

/** A hold past its expiry reads as expired, even before the sweeper has reached it. */
function statusCondition(statuses: readonly string[], now: Instant): Condition {
  const conditions = statuses.map((status): Condition => {
    if (status === 'held') {
      return [`status = 'held' and (expires_at is null or expires_at > ?)`, toIso(now)]
    }
    if (status !== 'expired') return ['status = ?', status]
    return [`(status = 'expired' or status = 'held' and expires_at <= ?)`, toIso(now)]
  })
  const sql = conditions.map(([each]) => `(${each})`).join(' or ')
  return [`(${sql})`, ...conditions.flatMap(([, ...values]) => values)]
}
