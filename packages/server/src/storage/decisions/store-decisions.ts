import { ENGINE } from '../../core/decision/engine.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { TransactionFlag } from '../../core/transaction.ts'
import type { Statement } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'
import { boundsOf } from '../id-bounds.ts'
import type { DecisionRow, MandateFigures } from './decision-row.ts'
import { storeDecision, toEnd } from './store-decision.ts'

export type { DecisionRow, MandateFigures, NotedSpend } from './decision-row.ts'

/**
 * Stores a batch of decisions of one organization and the budgets they drew on, in one statement.
 *
 * The caller has locked the row of every mandate it names (lockMandatesOf) and has judged the
 * spends against the locked figures, so this sets the figures and does not add to them. The table's
 * constraint `budget_never_overspent` checks the result independently. A single decision has
 * statements of its own.
 */
export function storeDecisions(
  organizationId: string,
  at: Instant,
  decisions: readonly DecisionRow[],
  mandates: readonly MandateFigures[],
): Statement {
  const [first] = decisions
  if (first && decisions.length === 1 && mandates.length <= 1) {
    return storeDecision(organizationId, at, first, mandates[0])
  }
  const ids = (pick: (row: DecisionRow) => string | number | bigint | null): string =>
    plainArray(decisions.map(pick))
  const text = (pick: (row: DecisionRow) => string | null): string => textArray(decisions.map(pick))
  const values = [
    organizationId,
    toIso(at),
    ids((row) => row.id),
    ids((row) => row.agentId),
    ids((row) => row.mandateId),
    ids((row) => row.mandateVersion),
    text((row) => row.path),
    text((row) => row.decision),
    text((row) => row.status),
    text((row) => row.code),
    ids((row) => row.amount),
    text((row) => row.currency),
    text((row) => row.vendor),
    text((row) => row.category),
    text((row) => row.reference),
    text((row) => row.reason),
    text((row) => row.metadata),
    ids((row) => row.remainingBudget),
    text((row) => row.details),
    ids((row) => row.heldAmount),
    ids((row) => row.settledAmount),
    ids(({ expiresAt }) => (expiresAt === null ? null : toEnd(expiresAt))),
    text((row) => row.countedIn),
    text(({ flaggedBy }) => (flaggedBy.length === 0 ? null : plainArray(flaggedBy))),
    plainArray(mandates.map((mandate) => mandate.id)),
    plainArray(mandates.map((mandate) => mandate.budgetSpent)),
    plainArray(mandates.map((mandate) => mandate.budgetHeld)),
    plainArray(mandates.map((mandate) => mandate.budgetOverdrawn)),
    plainArray(
      mandates.map(({ spentPeriodStart: start }) => (start === null ? null : toIso(start))),
    ),
    ENGINE,
    text(({ inputs }) => inputs?.text ?? null),
    text(({ inputs }) => inputs?.terms ?? null),
    toIso(at),
    ids((row) => row.requestedBy),
  ]
  // Most batches have no such facts, and should not pay for the extra columns.
  if (decisions.every(({ noted }) => noted === null)) {
    return { name: 'store-decisions', text: STORE_DECISIONS, values }
  }
  return {
    name: 'store-noted-decisions',
    text: STORE_NOTED_DECISIONS,
    values: [...values, text(externalOf), text(flagsOf)],
  }
}

function externalOf({ noted }: DecisionRow): string | null {
  return noted === null ? null : JSON.stringify(noted.external)
}

function flagsOf({ noted }: DecisionRow): string | null {
  return noted === null || noted.flags.length === 0 ? null : plainArray(noted.flags)
}

const ARRAYS = `
  $3::uuid[], $4::uuid[], $5::uuid[], $6::integer[], ${texts('$7')}, ${texts('$8')}, ${texts('$9')},
  ${texts('$10')}, $11::bigint[], ${texts('$12')}, ${texts('$13')}, ${texts('$14')}, ${texts('$15')},
  ${texts('$16')}, ${texts('$17')}, $18::bigint[], ${texts('$19')}, $20::bigint[], $21::bigint[],
  $22::timestamptz[], ${texts('$23')}, ${texts('$24')}, ${texts('$31')}, ${texts('$32')}, $34::uuid[]`

const NAMES = `
  id, agent_id, mandate_id, mandate_version, path, decision, status, code, amount, currency, vendor,
  category, reference, reason, metadata, remaining_budget, details, held_amount, settled_amount,
  expires_at, counted_in, flagged_by, inputs, terms, requested_by`

/*
 * The key looks up each mandate, whatever the sizes of the batch and the table. Joined by id, the
 * planner reads every mandate of the organization as soon as that looks cheaper than ten look-ups;
 * with a list of ids beside the join, it compares each mandate with the whole list. So a subquery
 * of its own, which the planner cannot reorder, finds the row's ctid by the key, and the update
 * goes to that ctid: the row is locked, so its ctid cannot change. The limit removes no row. It
 * makes the planner expect one row, and so choose the look-up by ctid.
 */
const SET_FIGURES = `
  update mandates
  set budget_spent = figures.spent, budget_held = figures.held,
      budget_overdrawn = figures.overdrawn, spent_period_start = figures.period_start`

const FOUND_BY_KEY = `
  as f (id, spent, held, overdrawn, period_start)
  cross join lateral (
    select ctid as place from mandates where organization_id = $1::uuid and id = f.id limit 1
  ) as found`

const AT_THEIR_PLACES = 'mandates.organization_id = $1::uuid and mandates.ctid = figures.place'

const DRAWN = `
  ${SET_FIGURES}
  from (
    select f.*, found.place
    from unnest($25::uuid[], $26::bigint[], $27::bigint[], $28::bigint[], $29::timestamptz[])
      ${FOUND_BY_KEY}
    limit cardinality($25::uuid[])
  ) as figures
  where ${AT_THEIR_PLACES}`

const COLUMNS = `
  organization_id, id, agent_id, mandate_id, mandate_version, path, decision, status, code,
  amount, currency, vendor, category, reference, reason, metadata, remaining_budget, details,
  held_amount, settled_amount, refunded_amount, expires_at, counted_in, flagged_by, settled_at,
  created_at, engine, inputs, inputs_hash, requested_by`

const VALUES = `
  $1::uuid, id, agent_id, mandate_id, mandate_version, path, decision, status, code,
  amount, currency, vendor, category, reference, reason, metadata::jsonb,
  remaining_budget, details::json, held_amount, settled_amount, 0, expires_at,
  counted_in::jsonb, flagged_by::text[],
  case when status = 'settled' then $2::timestamptz end, $2::timestamptz,
  case when inputs is not null then $30::smallint end, inputs,
  sha256(convert_to($1::uuid || ' ' || id || ' ' || agent_id || ' ' || path || ' ' || $33::text || ' ' || terms
    || chr(10) || vendor || chr(10) || coalesce('=' || category, '') || chr(10) || inputs || chr(10)
    || coalesce('=' || reference, ''), 'UTF8')), requested_by`

const STORE_DECISIONS = `
  with decided as (select * from unnest(${ARRAYS}) as d (${NAMES})), drawn as (${DRAWN})
  insert into transactions (${COLUMNS}) select ${VALUES} from decided`

const STORE_NOTED_DECISIONS = `
  with decided as (
    select * from unnest(${ARRAYS}, ${texts('$35')}, ${texts('$36')}) as d (${NAMES}, external, flags)
  ), drawn as (${DRAWN})
  insert into transactions (${COLUMNS}, external, flags)
  select ${VALUES}, external::jsonb, flags::text[] from decided`

/** Only for the few decisions with a flag, so that all others do not pay for the column. */
export function flagDecisions(
  organizationId: string,
  ids: readonly string[],
  flag: TransactionFlag,
): Statement {
  return {
    name: 'flag-decisions',
    text: `update transactions set flags = array[$3::text]
           where organization_id = $1 and id = any($2::uuid[]) and id >= $4 and id <= $5`,
    values: [organizationId, plainArray(ids), flag, ...boundsOf(ids)],
  }
}

/**
 * Only for the few decisions that add to a purchase, so that all others do not pay for the column.
 */
export function markIncrements(organizationId: string, ids: readonly string[]): Statement {
  return {
    name: 'mark-increments',
    text: `update transactions set is_increment = true
           where organization_id = $1 and id = any($2::uuid[]) and id >= $3 and id <= $4`,
    values: [organizationId, plainArray(ids), ...boundsOf(ids)],
  }
}

/** Sets the figures of mandates that the caller has locked, outside of a batch of decisions. */
export function storeFigures(
  organizationId: string,
  mandates: readonly MandateFigures[],
): Statement {
  return {
    name: 'store-figures',
    text: `
      ${SET_FIGURES}
      from (
        select f.*, found.place
        from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[])
          ${FOUND_BY_KEY}
        limit cardinality($2::uuid[])
      ) as figures
      where ${AT_THEIR_PLACES}`,
    values: [
      organizationId,
      plainArray(mandates.map((mandate) => mandate.id)),
      plainArray(mandates.map((mandate) => mandate.budgetSpent)),
      plainArray(mandates.map((mandate) => mandate.budgetHeld)),
      plainArray(mandates.map((mandate) => mandate.budgetOverdrawn)),
      plainArray(
        mandates.map(({ spentPeriodStart: start }) => (start === null ? null : toIso(start))),
      ),
    ],
  }
}
