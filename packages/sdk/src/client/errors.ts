import type { Problem } from './problem.ts'

/** Marks the errors of every copy of this package: `instanceof` knows only its own copy. */
const MARK = Symbol.for('purser.error')

/** What an error knows about the request that failed. */
export interface ErrorFacts {
  /** The stable code of the problem, such as `validation_failed`. */
  readonly code: string
  /** The HTTP status; null if there was no response. */
  readonly status?: number | null
  /** The problem document of the gateway. */
  readonly problem?: Problem | null
  readonly requestId?: string | null
  /** The `Idempotency-Key` of the request: with it a repetition runs at most once. */
  readonly idempotencyKey?: string | null
  readonly cause?: unknown
}

/** The parent of all errors of this package. Base your logic on `code`: it never changes. */
export class PurserError extends Error {
  readonly code: string
  readonly status: number | null
  /** What happened and what to do, in a sentence. */
  readonly detail: string
  /** The fields that are not valid, each with a JSON pointer. */
  readonly errors: Problem['errors']
  /** The whole problem document, with the fields that only some codes have. */
  readonly problem: Problem | null
  /** The id of the request in the log of the gateway. */
  readonly requestId: string | null
  readonly idempotencyKey: string | null

  constructor(detail: string, facts: ErrorFacts) {
    super(detail, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = new.target.name
    this.detail = detail
    this.code = facts.code
    this.status = facts.status ?? null
    this.problem = facts.problem ?? null
    this.errors = facts.problem?.errors ?? []
    this.requestId = facts.requestId ?? null
    this.idempotencyKey = facts.idempotencyKey ?? null
    Object.defineProperty(this, MARK, { value: true })
  }

  /** Also true for an error of another copy of this package. */
  static is(error: unknown): error is PurserError {
    return typeof error === 'object' && error !== null && MARK in error
  }
}
