import { ENGINE } from '../../core/decision/engine.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Statement } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import type { DecisionRow, MandateFigures } from './decision-row.ts'

/**
 * Stores one decision and the budget that it drew on, with plain values (ADR 58). Unlike the
 * statement for many, it unpacks no arrays and joins nothing, which takes the server half the time.
 * `drawn` is undefined if the decision draws on nothing.
 */
export function storeDecision(
  organizationId: string,
  at: Instant,
  row: DecisionRow,
  drawn: MandateFigures | undefined,
): Statement {
  const values = [...valuesOf(organizationId, at, row), ...figuresOf(drawn), ...notesOf(row)]
  if (row.noted !== null) {
    return drawn
      ? { name: 'store-noted-decision', text: STORE_NOTED_DECISION, values }
      : { name: 'store-noted-rejection', text: STORE_NOTED_REJECTION, values }
  }
  return drawn
    ? { name: 'store-decision', text: STORE_DECISION, values }
    : { name: 'store-rejection', text: STORE_REJECTION, values }
}

/** A hold without an expiry, which only its payment path ends, is stored as infinity. */
export function toEnd(expiresAt: Instant): string {
  return expiresAt === Number.POSITIVE_INFINITY ? 'infinity' : toIso(expiresAt)
}

/** The order is that of VALUES. */
function valuesOf(organizationId: string, at: Instant, row: DecisionRow): unknown[] {
  const { expiresAt, flaggedBy, inputs } = row
  const instant = toIso(at)
  return [
    organizationId,
    row.id,
    row.agentId,
    row.mandateId,
    row.mandateVersion,
    row.path,
    row.decision,
    row.status,
    row.code,
    row.amount,
    row.currency,
    row.vendor,
    row.category,
    row.reference,
    row.reason,
    row.metadata,
    row.remainingBudget,
    row.details,
    row.heldAmount,
    row.settledAmount,
    expiresAt === null ? null : toEnd(expiresAt),
    row.countedIn,
    flaggedBy.length === 0 ? null : plainArray(flaggedBy),
    row.status === 'settled' ? instant : null,
    instant,
    inputs === null ? null : ENGINE,
    inputs?.text ?? null,
    row.requestedBy,
    inputs?.terms ?? null,
    instant,
  ]
}

const COLUMNS = `
  organization_id, id, agent_id, mandate_id, mandate_version, path, decision, status, code, amount,
  currency, vendor, category, reference, reason, metadata, remaining_budget, details, held_amount,
  settled_amount, refunded_amount, expires_at, counted_in, flagged_by, settled_at, created_at,
  engine, inputs, requested_by, inputs_hash`

/** The hash is the same as `hashOf` in core/replay/inputs.ts, and null without inputs. */
const VALUES = `
  $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::integer, $6::text, $7::text, $8::text, $9::text,
  $10::bigint, $11::text, $12::text, $13::text, $14::text, $15::text, $16::jsonb, $17::bigint,
  $18::json, $19::bigint, $20::bigint, 0, $21::timestamptz, $22::jsonb, $23::text[],
  $24::timestamptz, $25::timestamptz, $26::smallint, $27::text, $28::uuid,
  sha256(convert_to($1::uuid || ' ' || $2::uuid || ' ' || $3::uuid || ' ' || $6::text || ' ' || $30::text
    || ' ' || $29::text || chr(10) || $12::text || chr(10) || coalesce('=' || $13::text, '') || chr(10)
    || $27::text || chr(10) || coalesce('=' || $14::text, ''), 'UTF8'))`

function figuresOf(drawn: MandateFigures | undefined): unknown[] {
  if (!drawn) return []
  const { id, budgetSpent, budgetHeld, budgetOverdrawn, spentPeriodStart: start } = drawn
  return [id, budgetSpent, budgetHeld, budgetOverdrawn, start === null ? null : toIso(start)]
}

/** The caller has locked the row and judged against it, so this sets figures and adds nothing. */
const DRAWN = `
  with drawn as (
    update mandates
    set budget_spent = $32::bigint, budget_held = $33::bigint, budget_overdrawn = $34::bigint,
        spent_period_start = $35::timestamptz
    where organization_id = $1::uuid and id = $31::uuid
  )`

function notesOf({ noted }: DecisionRow): unknown[] {
  if (noted === null) return []
  const { external, flags } = noted
  return [JSON.stringify(external), flags.length === 0 ? null : plainArray(flags)]
}

const STORE_DECISION = `${DRAWN} insert into transactions (${COLUMNS}) values (${VALUES})`

const STORE_REJECTION = `insert into transactions (${COLUMNS}) values (${VALUES})`

const STORE_NOTED_DECISION = `${DRAWN}
  insert into transactions (${COLUMNS}, external, flags)
  values (${VALUES}, $36::jsonb, $37::text[])`

const STORE_NOTED_REJECTION = `
  insert into transactions (${COLUMNS}, external, flags)
  values (${VALUES}, $31::jsonb, $32::text[])`
