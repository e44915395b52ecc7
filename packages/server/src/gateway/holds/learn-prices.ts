import type { MandateAccount } from '../../core/decision/account.ts'
import { needsVendorHistory, type Policy } from '../../core/mandates/policy.ts'
import type { Micros } from '../../core/money.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { PresentMandate } from '../../storage/decisions/present-lines.ts'
import { readVendorHistories } from '../../storage/decisions/read-accounts.ts'
import {
  type StoredVendorHistory,
  storeVendorHistories,
} from '../../storage/decisions/store-usage.ts'
import type { Tx } from '../../storage/engine/database.ts'

/** Transactions that together form one purchase; mostly a single one. */
export interface Purchase {
  readonly changed: readonly { readonly before: Transaction; readonly after: Transaction }[]
  /** The transactions of the purchase that did not change. */
  readonly others: readonly Transaction[]
}

interface Payment {
  readonly transaction: Transaction
  readonly amount: Micros
}

/**
 * Whether a rule needs to know which vendors the agent pays. The rule may belong to the line that
 * the transaction has drawn on, or to the line that governs the agent now. The two differ if a hold
 * outlives its mandate.
 */
export function vendorsWanted(
  lineOf: (transaction: Transaction) => readonly MandateAccount[],
  present: readonly PresentMandate[],
  policyOf: (version: PresentMandate) => Policy,
): (transaction: Transaction) => boolean {
  const wanting = new Set(
    present.filter((mandate) => needsVendorHistory(policyOf(mandate))).map(({ id }) => id),
  )
  const governed = present.filter(({ id, ancestorIds }) =>
    [id, ...ancestorIds].some((member) => wanting.has(member)),
  )
  const agentIds = new Set(governed.map(({ agentId }) => agentId))
  return (transaction) =>
    agentIds.has(transaction.agentId) ||
    lineOf(transaction).some(({ policy }) => needsVendorHistory(policy))
}

/**
 * A vendor is known from its first settled spend on, with the last price paid. Of several payments
 * to one vendor, the last counts. Only rules about vendors use this.
 */
export async function learn(
  { tx, organizationId }: { readonly tx: Tx; readonly organizationId: string },
  purchases: readonly Purchase[],
  isWanted: (transaction: Transaction) => boolean,
  now: Instant,
): Promise<void> {
  const payments = purchases.flatMap(paymentOf).filter(({ transaction }) => isWanted(transaction))
  if (payments.length === 0) return
  const agentIds = payments.map(({ transaction }) => transaction.agentId)
  const vendors = payments.map(({ transaction }) => transaction.vendor)
  const rows = await readVendorHistories(tx, organizationId, agentIds, vendors)
  const known = new Map(rows.map((row) => [pairOf(row), row.firstAt]))
  const learned = new Map<string, StoredVendorHistory>()
  for (const { transaction, amount: lastAmount } of payments) {
    const { agentId, vendor, createdAt } = transaction
    const pair = pairOf(transaction)
    const firstAt = known.get(pair) ?? learned.get(pair)?.firstAt ?? createdAt
    learned.set(pair, { agentId, vendor, firstAt, lastAmount })
  }
  tx.send(storeVendorHistories(organizationId, now, [...learned.values()]))
}

/** The total is known only after the last part of a purchase. */
function paymentOf({ changed, others }: Purchase): Payment[] {
  const [before, after] = [changed.map(beforeOf), changed.map(afterOf)]
  const [first] = [...others, ...after].sort((a, b) => (a.id < b.id ? -1 : 1))
  const amount = sumOf([...others, ...after])
  const isOver = ![...others, ...after].some(isHeld)
  const isNews = before.some(isHeld) || sumOf(before) !== sumOf(after)
  return first && isOver && isNews && amount > 0n ? [{ transaction: first, amount }] : []
}

function beforeOf({ before }: Purchase['changed'][number]): Transaction {
  return before
}

function afterOf({ after }: Purchase['changed'][number]): Transaction {
  return after
}

function isHeld({ status }: Transaction): boolean {
  return status === 'held'
}

function sumOf(transactions: readonly Transaction[]): Micros {
  return transactions.reduce((sum, { settledAmount }) => sum + settledAmount, 0n)
}

function pairOf({
  agentId,
  vendor,
}: {
  readonly agentId: string
  readonly vendor: string
}): string {
  return `${agentId} ${vendor}`
}
