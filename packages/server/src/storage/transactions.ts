import { type StoredStep, toStoredStep } from '../core/replay/steps.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Transaction } from '../core/transaction.ts'
import type { Queryable, Statement, Tx } from './engine/database.ts'
import { plainArray, plainTexts, textArray, texts } from './engine/wire-array.ts'

const columnsWith = (details: string): string => `
  id, agent_id as "agentId", mandate_id as "mandateId", mandate_version as "mandateVersion", path,
  decision, status, code, amount, coalesce(is_increment, false) as "isIncrement", currency, vendor, category, reference, reason, metadata,
  remaining_budget as "remainingBudget", ${details}, details_removed_at as "detailsRemovedAt",
  held_amount as "heldAmount",
  settled_amount as "settledAmount", refunded_amount as "refundedAmount",
  expires_at as "expiresAt", settled_at as "settledAt", external, approval_id as "approvalId", coalesce(flags, '{}') as flags,
  coalesce(flagged_by, '{}') as "flaggedBy",
  later_parts as "laterParts",
  counted_in as "countedIn", created_at as "createdAt"`

const COLUMNS = columnsWith('details')

/** Only reads need these, so decisions and settlements do not pay for them. */
const SHOWN = `requested_by as "requestedBy",
  (select a.name from agents a
   where a.organization_id = $1 and a.id = transactions.agent_id)
    as "agentName"`
export const SHOWN_COLUMNS = `${COLUMNS}, ${SHOWN}`
export const SHOWN_COLUMNS_WITHOUT_DETAILS = `${columnsWith('null as details')}, ${SHOWN}`

/** A transaction with the fields that only reads show. */
export interface ShownTransaction extends Transaction {
  /** The key or member that sent the spend; null if an issuer did, or if it was not stored. */
  readonly requestedBy: string | null
  /** The row of an agent outlives its deletion, so the name is there as well. */
  readonly agentName: string | null
}

export async function findTransaction(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Transaction | undefined> {
  const [transaction] = await db.query<Transaction>({
    text: `select ${COLUMNS} from transactions where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return transaction
}

export async function findShownTransaction(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<ShownTransaction | undefined> {
  const [transaction] = await db.query<ShownTransaction>({
    text: `select ${SHOWN_COLUMNS} from transactions where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return transaction
}

/** The agent of a transaction; undefined if there is no such transaction. */
export async function findAgentOf(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ agentId: string }>({
    text: `select agent_id as "agentId" from transactions where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return row?.agentId
}

/** Send this after locking the mandates: they come first in the lock order. */
export function lockTransactions(
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
): Promise<Transaction[]> {
  return tx.query<Transaction>({
    name: 'lock-transactions',
    text: `select ${COLUMNS} from transactions
           where organization_id = $1 and id = any($2::uuid[]) order by id for update`,
    values: [organizationId, plainArray(ids)],
  })
}

export type TransactionChange = Pick<
  Transaction,
  | 'status'
  | 'amount'
  | 'heldAmount'
  | 'settledAmount'
  | 'refundedAmount'
  | 'settledAt'
  | 'flags'
  | 'countedIn'
  | 'laterParts'
  | 'createdAt'
>

/** Far more steps than a purchase has. A backtest reports that later steps are not stored. */
const STEPS_MAX = 100

/**
 * Updates the state of transactions that the caller has locked. If the amount changes, the amount
 * that was decided is kept in `decided_amount`, because the leaf of the decision commits to it.
 */
export function updateTransactions(
  organizationId: string,
  changed: readonly (TransactionChange & { readonly id: string })[],
  at: Instant,
): Statement {
  const json = (value: object | null): string | null =>
    value === null ? null : JSON.stringify(value)
  return {
    name: 'update-transactions',
    text: `
      update transactions t
      set status = c.status, amount = c.amount, held_amount = c.held, settled_amount = c.settled,
          refunded_amount = c.refunded, settled_at = c.settled_at, flags = ${plainTexts('c.flags')},
          counted_in = c.counted_in::jsonb, later_parts = c.later_parts::jsonb,
          decided_amount = case when t.amount = c.amount then t.decided_amount
                                else coalesce(t.decided_amount, t.amount) end,
          steps = case when jsonb_array_length(coalesce(t.steps, '[]')) < ${STEPS_MAX}
                       then coalesce(t.steps, '[]') || c.steps::jsonb else t.steps end
      from unnest($2::uuid[], ${texts('$3')}, $4::bigint[], $5::bigint[], $6::bigint[],
                  $7::timestamptz[], ${texts('$8')}, ${texts('$9')}, ${texts('$10')},
                  $11::bigint[], ${texts('$12')})
        as c (id, status, held, settled, refunded, settled_at, flags, counted_in, later_parts,
              amount, steps)
      where t.organization_id = $1 and t.id = c.id
        -- Repeated, because only this condition tells the planner which partitions to skip.
        and t.id = any($2::uuid[])`,
    values: [
      organizationId,
      plainArray(changed.map(({ id }) => id)),
      textArray(changed.map(({ status }) => status)),
      plainArray(changed.map(({ heldAmount }) => heldAmount)),
      plainArray(changed.map(({ settledAmount }) => settledAmount)),
      plainArray(changed.map(({ refundedAmount }) => refundedAmount)),
      plainArray(changed.map(({ settledAt }) => (settledAt === null ? null : toIso(settledAt)))),
      textArray(changed.map(({ flags }) => (flags.length === 0 ? null : plainArray(flags)))),
      textArray(changed.map(({ countedIn }) => json(countedIn))),
      textArray(changed.map(({ laterParts }) => json(laterParts))),
      plainArray(changed.map(({ amount }) => amount)),
      textArray(changed.map((transaction) => stepText(toStoredStep(transaction, at)))),
    ],
  }
}

/** A list of one element, which the statement appends to the stored list. */
function stepText(step: StoredStep): string {
  return JSON.stringify([step])
}

/** Stores the rejection that the caller received because its decision was stored too late. */
export function storeLateDecline(
  organizationId: string,
  id: string,
  { code, details }: { readonly code: string; readonly details: string },
): Statement {
  return {
    text: `update transactions set code = $3, details = $4::json
           where organization_id = $1 and id = $2`,
    values: [organizationId, id, code, details],
  }
}
