import type { Problem } from '../generated/types/index.ts'

/** Marks the errors of every copy of this package: `instanceof` knows only its own copy. */
const MARK = Symbol.for('purser.error')

/** What an error knows about the request that failed. */
export interface ErrorFacts {
  readonly code: string
  readonly status?: number | null
  readonly problem?: Problem | null
  readonly requestId?: string | null
  readonly idempotencyKey?: string | null
  readonly outcomeUnknown?: boolean
  readonly retryAfterSeconds?: number | null
  readonly cause?: unknown
}

/** The parent of all errors of this package. Base your logic on `code`: it never changes. */
export class PurserError extends Error {
  override readonly name: string = 'PurserError'
  /** The stable code of the problem, such as `validation_failed`. */
  readonly code: string
  /** The HTTP status; null if there was no response. */
  readonly status: number | null
  /** What happened and what to do, in a sentence. */
  readonly detail: string
  /** The fields that are not valid, each with a JSON pointer. */
  readonly errors: Problem['errors']
  /** The whole problem document, with the fields that only some codes have. */
  readonly problem: Problem | null
  /** The id of the request in the log of the gateway. */
  readonly requestId: string | null
  /** The `Idempotency-Key` of the request. Repeat the call with it, and it runs at most once. */
  readonly idempotencyKey: string | null
  /** Whether the request may have taken effect although it failed. */
  readonly outcomeUnknown: boolean
  /** How long the gateway asks to wait before the next request. */
  readonly retryAfterSeconds: number | null

  constructor(detail: string, facts: ErrorFacts) {
    super(detail, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.detail = detail
    this.code = facts.code
    this.status = facts.status ?? null
    this.problem = facts.problem ?? null
    this.errors = facts.problem?.errors ?? []
    this.requestId = facts.requestId ?? facts.problem?.requestId ?? null
    this.idempotencyKey = facts.idempotencyKey ?? null
    this.outcomeUnknown = facts.outcomeUnknown ?? false
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
    Object.defineProperty(this, MARK, { value: true })
  }

  /** Also true for an error of a second copy of this package. */
  static is(error: unknown): error is PurserError {
    return typeof error === 'object' && error !== null && MARK in error
  }
}

/** 401: the API key or the session is missing, mistyped, expired or revoked. */
export class AuthenticationError extends PurserError {
  override readonly name = 'AuthenticationError'
}

/** 403: the API key or the member may not do this. */
export class PermissionError extends PurserError {
  override readonly name = 'PermissionError'
}

/** 404 or 410: the object does not exist, or no longer. */
export class NotFoundError extends PurserError {
  override readonly name = 'NotFoundError'
}

/** 409: the state of the object does not allow this. */
export class ConflictError extends PurserError {
  override readonly name = 'ConflictError'
}

/** 400, 413, 415 or 422: the request is not valid. */
export class ValidationError extends PurserError {
  override readonly name = 'ValidationError'
}

/** 429: too many requests per minute or in parallel. */
export class RateLimitError extends PurserError {
  override readonly name = 'RateLimitError'
}

/** 429: a limit of the plan is reached. Waiting helps only after the reset of the usage. */
export class PlanLimitError extends PurserError {
  override readonly name = 'PlanLimitError'
}

/** There is no usable answer: the network failed, the time was over, or a different server answered. */
export class ConnectionError extends PurserError {
  override readonly name = 'ConnectionError'
}

/** 5xx: the gateway could not answer. */
export class ServerError extends PurserError {
  override readonly name = 'ServerError'
}

/** `orThrow` makes this from a rejection. */
export class SpendRejectedError<T = unknown> extends PurserError {
  override readonly name = 'SpendRejectedError'
  /** The rejection, with its reasons. */
  readonly decision: T

  constructor(detail: string, facts: ErrorFacts, decision: T) {
    super(detail, facts)
    this.decision = decision
  }
}

/** The known facts about a spend whose outcome is unknown. */
export interface UnknownOutcome<T = unknown> {
  /** The transaction with the hold. */
  readonly transactionId: string
  /** The held amount. */
  readonly amount: number
  /** When the hold expires and releases its budget (ISO 8601, UTC), unless it is closed before. */
  readonly expiresAt: string
  /** The amount that the function charged, as it said itself. Null if it did not say. */
  readonly charged: number | null
  /** The return value of the function. Undefined if it threw. */
  readonly result: T | undefined
}

/**
 * `spend` could not find out whether money moved, or could not report it. The hold stays until it
 * is settled, voided or expires; `detail` says how to close it. `code` is one of:
 * - `outcome_unknown`: the function threw and did not say whether it charged. `cause` is its error.
 * - `settle_failed`, `void_failed`: the function is done, but the gateway did not close the hold.
 * - `spend_repeated`: a spend with the same `idempotencyKey` was begun before.
 */
export class OutcomeUnknownError<T = unknown> extends PurserError implements UnknownOutcome<T> {
  override readonly name = 'OutcomeUnknownError'
  readonly transactionId: string
  readonly amount: number
  readonly expiresAt: string
  readonly charged: number | null
  readonly result: T | undefined

  constructor(detail: string, facts: ErrorFacts, outcome: UnknownOutcome<T>) {
    super(detail, { ...facts, outcomeUnknown: true })
    this.transactionId = outcome.transactionId
    this.amount = outcome.amount
    this.expiresAt = outcome.expiresAt
    this.charged = outcome.charged
    this.result = outcome.result
  }
}

/** Returns the error for a status, as the gateway or something before it sent it. */
export function errorOf(detail: string, facts: ErrorFacts & { status: number }): PurserError {
  return new (classOf(facts.status, facts.code))(detail, facts)
}

function classOf(status: number, code: string): typeof PurserError {
  if (status === 401) return AuthenticationError
  if (status === 403) return PermissionError
  if (status === 404 || status === 410) return NotFoundError
  if (status === 409) return ConflictError
  if (status === 429) return code === 'plan_limit_exceeded' ? PlanLimitError : RateLimitError
  if (status >= 500) return ServerError
  return status === 408 ? ConnectionError : ValidationError
}
