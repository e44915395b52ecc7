import type { TransactionFilter } from '../../src/storage/list-transactions.ts'

/** Every transaction of an organization. */
export const EVERY_TRANSACTION: TransactionFilter = {
  ...{ agents: undefined, mandates: undefined, decisions: undefined, statuses: undefined },
  ...{ paths: undefined, vendors: undefined, categories: undefined, codes: undefined },
  ...{ reference: undefined, rule: undefined, approvalId: undefined, cardId: undefined },
  ...{ q: undefined, isFlagged: undefined, from: undefined, to: undefined },
  ...{ minAmount: undefined, maxAmount: undefined, agentIds: null },
}
