import type { ListedTransaction, Transaction } from '@purser/sdk'
import { colorOf } from '../output/color.ts'
import { toAmountText, toMoneyText } from '../output/money.ts'
import { type Fact, toPage } from '../output/page.ts'
import { type Column, SHORT } from '../output/table.ts'

/** The columns of a list of transactions. */
export const transactionColumns: readonly Column<ListedTransaction>[] = [
  { title: 'ID', text: ({ transactionId }) => transactionId },
  { title: 'TIME', text: ({ createdAt }) => createdAt, spare: 1 },
  { title: 'STATUS', text: ({ status }) => status, color: ({ status }) => colorOf(status) },
  { title: 'AMOUNT', text: toAmount, align: 'right' },
  { title: 'VENDOR', text: ({ vendor }) => vendor, shrinksTo: 16 },
  { title: 'CATEGORY', text: ({ category }) => category, shrinksTo: SHORT, spare: 4 },
  {
    title: 'AGENT',
    text: ({ agentName, agentId }) => agentName ?? agentId,
    shrinksTo: SHORT,
    spare: 3,
  },
  { title: 'CODE', text: ({ code }) => code, shrinksTo: SHORT, spare: 2 },
]

function toAmount({ amount, currency }: ListedTransaction): string {
  return toMoneyText(amount, currency)
}

/** Formats one transaction. */
export function toTransactionPage(transaction: Transaction): string[] {
  const { currency, external, metadata, remainingBudget } = transaction
  const money = (amount: number): string | null =>
    amount === 0 ? null : toMoneyText(amount, currency)
  return toPage([
    ['id', transaction.transactionId],
    ['status', transaction.status],
    ['decision', transaction.decision],
    ['code', transaction.code],
    ['message', transaction.evaluationDetails?.message],
    ['amount', `${toMoneyText(transaction.amount, currency)} at ${transaction.vendor}`],
    ['category', transaction.category],
    ['agent', `${transaction.agentName ?? ''} ${transaction.agentId}`.trim()],
    ['mandate', transaction.mandateId],
    ['path', transaction.path],
    ['held', money(transaction.heldAmount)],
    ['settled', money(transaction.settledAmount)],
    ['refunded', money(transaction.refundedAmount)],
    ['remaining budget', remainingBudget === null ? null : toAmountText(remainingBudget, currency)],
    ['reference', transaction.reference],
    ['reason', transaction.reason],
    ['approval', transaction.approvalId],
    ['requested by', transaction.requestedBy?.name],
    ['flags', transaction.flags.join(', ')],
    ['created', transaction.createdAt],
    ['settled at', transaction.settledAt],
    ['hold expires', transaction.expiresAt],
    ['details removed', transaction.detailsRemovedAt],
    ...Object.entries(external ?? {}).map(([name, value]): Fact => [name, toText(value)]),
    ...Object.entries(metadata ?? {}).map(([name, value]): Fact => [`metadata ${name}`, value]),
  ])
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
