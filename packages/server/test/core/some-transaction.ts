import type { Transaction } from '../../src/core/transaction.ts'
import { agentId, NOON } from './desk.ts'

/** A hold over 10, approved at noon. */
export function someTransaction(change: Partial<Transaction> = {}): Transaction {
  return {
    id: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11',
    agentId: agentId(0),
    mandateId: null,
    mandateVersion: null,
    path: 'evaluate',
    decision: 'approved',
    status: 'held',
    code: 'approved',
    amount: 10_000_000n,
    isIncrement: false,
    currency: 'USD',
    vendor: 'api.openai.com',
    category: 'llm',
    reference: null,
    reason: null,
    metadata: null,
    remainingBudget: 0n,
    details: null,
    detailsRemovedAt: null,
    heldAmount: 10_000_000n,
    settledAmount: 0n,
    refundedAmount: 0n,
    expiresAt: NOON,
    settledAt: null,
    external: null,
    approvalId: null,
    flags: [],
    flaggedBy: [],
    laterParts: null,
    countedIn: null,
    createdAt: NOON,
    ...change,
  }
}
