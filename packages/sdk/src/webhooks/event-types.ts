/*
 * The bodies of `webhooks` in openapi.json. They stand here until the generated types have them:
 * then this file only lists them from '../generated/types/index.ts'.
 */

export type WebhookBody =
  | Body<'transaction.approved', ApprovedEventData>
  | Body<'transaction.rejected', RejectedEventData>
  | Body<'mandate.budget.warning', BudgetEventData>
  | Body<'mandate.budget.exhausted', BudgetEventData>
  | Body<'transaction.settled', OutcomeEventData>
  | Body<'transaction.voided', OutcomeEventData>
  | Body<'transaction.expired', OutcomeEventData>
  | Body<'transaction.refunded', OutcomeEventData>
  | Body<'approval.requested', ApprovalRequestedEventData>
  | Body<'approval.decided', ApprovalDecidedEventData>
  | Body<'usage.warning', UsageEventData>
  | Body<'usage.exhausted', UsageEventData>
  | Body<'card.flagged', CardFlaggedEventData>
  | Body<'sign_in.succeeded', SignInEventData>
  | Body<'sign_in.failed', SignInEventData>
  | Body<'sign_in.locked', SignInLockedEventData>
  | Body<'sign_in.refused', SignInEventData>
  | Body<'sign_in.reset', SignInEventData>

interface Body<Name, Data> {
  readonly event: Name
  /** When the decision or change was made, in UTC. */
  readonly timestamp: string
  readonly data: Data
}

export interface ApprovedEventData {
  readonly transactionId: string
  readonly agentId: string
  readonly mandateId: string | null
  readonly amount: number
  readonly vendor: string
  readonly category: string | null
  readonly currency: string | null
  readonly path: 'evaluate' | 'x402' | 'acp' | 'card'
  readonly reference: string | null
  readonly remainingBudget: number
  readonly status: 'rejected' | 'held' | 'settled'
  readonly expiresAt: string | null
  readonly flags: readonly string[]
  readonly decision: 'approved'
}

export interface RejectedEventData {
  readonly transactionId: string
  readonly agentId: string
  readonly mandateId: string | null
  readonly amount: number
  readonly vendor: string
  readonly category: string | null
  readonly currency: string | null
  readonly path: 'evaluate' | 'x402' | 'acp' | 'card'
  readonly reference: string | null
  readonly remainingBudget: number
  readonly status: 'rejected' | 'held' | 'settled'
  readonly expiresAt: string | null
  readonly flags: readonly string[]
  readonly decision: 'rejected'
  readonly code: string
  readonly reason: string | null
  readonly reasons: readonly {
    readonly ruleId: string
    readonly code: string | null
    readonly message: string
  }[]
  readonly approvalId: string | null
}

export interface BudgetEventData {
  readonly mandateId: string
  readonly agentId: string
  readonly budgetTotal: number
  readonly budgetSpent: number
  readonly percentUsed: number
}

export interface OutcomeEventData {
  readonly transactionId: string
  readonly agentId: string
  readonly mandateId: string | null
  readonly amount: number
  readonly vendor: string
  readonly category: string | null
  readonly currency: string | null
  readonly path: 'evaluate' | 'x402' | 'acp' | 'card'
  readonly reference: string | null
  readonly status:
    | 'rejected'
    | 'held'
    | 'settled'
    | 'voided'
    | 'expired'
    | 'partially_refunded'
    | 'refunded'
  readonly settledAmount: number
  readonly refundedAmount: number
  readonly flags: readonly string[]
}

export interface ApprovalRequestedEventData {
  readonly approvalId: string
  readonly status: 'pending' | 'approved' | 'rejected' | 'expired' | 'used'
  readonly transactionId: string
  readonly agentId: string
  readonly mandateId: string
  readonly amount: number
  readonly currency: string
  readonly vendor: string
  readonly category: string | null
  readonly path: 'evaluate' | 'x402' | 'acp' | 'card'
  readonly expiresAt: string
}

export interface ApprovalDecidedEventData {
  readonly approvalId: string
  readonly status: 'pending' | 'approved' | 'rejected' | 'expired' | 'used'
  readonly transactionId: string
  readonly agentId: string
  readonly mandateId: string
  readonly amount: number
  readonly currency: string
  readonly vendor: string
  readonly category: string | null
  readonly path: 'evaluate' | 'x402' | 'acp' | 'card'
  readonly expiresAt: string
  readonly decision: 'approve' | 'reject' | 'expired'
  readonly decidedBy: string | null
  readonly decidedById?: string | null
  readonly decidedByEmail?: string | null
  readonly comment: string | null
  readonly maxAmount: number | null
}

export interface UsageEventData {
  readonly plan: 'free' | 'pro' | 'scale' | 'self_hosted'
  readonly limit: number
  readonly used: number
  readonly percentUsed: number
  readonly resetsAt: string
}

export interface CardFlaggedEventData {
  readonly what: 'other_currency' | 'unlinked_refund' | 'unreadable_event'
  readonly connectionId: string
  readonly authorizationId: string | null
  readonly externalTransactionId: string | null
  readonly cardId: string | null
  readonly agentId: string | null
  readonly amount: number | null
  readonly currency: string | null
  readonly message: string
}

export interface SignInEventData {
  readonly memberId: string
  readonly email: string
  readonly addresses: readonly string[]
  readonly number: number
  readonly firstAt: string
  readonly lastAt: string
}

export interface SignInLockedEventData {
  readonly memberId: string
  readonly email: string
  readonly addresses: readonly string[]
  readonly number: number
  readonly firstAt: string
  readonly lastAt: string
  readonly scope: 'address' | 'everywhere' | 'session' | null
  readonly lockedUntil: string | null
}
