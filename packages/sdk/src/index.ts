export type { Answer, Call, CallOptions, Decided, DecisionCall, List } from './client/call.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorFacts,
  NotFoundError,
  OutcomeUnknownError,
  PermissionError,
  PlanLimitError,
  PurserError,
  RateLimitError,
  ServerError,
  SpendRejectedError,
  type UnknownOutcome,
  ValidationError,
} from './client/errors.ts'
export type { PurserOptions } from './client/options.ts'
export type * from './generated/types/index.ts'
export { Purser } from './purser.ts'
export type { Hold } from './spend/hold.ts'
export { type Amount, type Money, money, type Rounding, sumMoney } from './spend/money.ts'
export type { SpendOptions } from './spend/open-hold.ts'
export type { RejectedSpend } from './spend/rejected-spend.ts'
export type { ApprovedSpend, SpendCall, SpendResult } from './spend/spend.ts'
export type { ApprovalWaitOptions } from './spend/wait-for-approval.ts'
export type { BacktestOptions, BacktestProgress } from './streams/backtest.ts'
export type { EventStreamOptions, StreamedEvent } from './streams/events.ts'
export type { AuditExportOptions } from './streams/exports.ts'
export type { MandateConstraint, MandateTokenClaims } from './tokens/claims.ts'
export { MandateTokenError, type MandateTokenErrorCode } from './tokens/error.ts'
export {
  type VerifyMandateTokenOptions,
  verifyMandateToken,
} from './tokens/verify-mandate-token.ts'
export type { X402FetchOptions } from './x402/fetch.ts'
export { paymentOf, X402Error, type X402FetchPayment } from './x402/payment.ts'
export type { X402Body, X402RequestInit } from './x402/vendor-request.ts'
