import type { CallOptions } from '../client/call.ts'
import { PurserError } from '../client/errors.ts'
import type { Api } from '../generated/tree.ts'
import type { Evaluation, TransactionStatus } from '../generated/types/index.ts'

/** The decision that opened a hold. */
export type ApprovedDecision = Evaluation & { readonly decision: 'approved' }

/** The hold of a spend, for the function that pays. */
export interface Hold {
  /** The id of the transaction. A good idempotency key for the vendor. */
  readonly transactionId: string
  /** The held amount: the most that may be charged. */
  readonly amount: number
  /** When the hold expires (ISO 8601, UTC). */
  readonly expiresAt: string
  readonly evaluation: ApprovedDecision
  /**
   * Says how much was charged; the rest of the hold is released. 0 voids the hold. The request to
   * the gateway starts at once, and `spend` waits for it. It never fails here, so that the result of
   * your function is not lost: `spend` throws instead.
   */
  settle(amount: number): void
  /** Says that no money moved: the whole hold is released. */
  void(): void
  /**
   * Makes an error to throw if no money moved. `spend` voids the hold, and throws the same error.
   * Do not use it for a timeout: the vendor may have charged.
   */
  nothingCharged(cause?: unknown): PurserError
}

/** How the gateway closed a hold. */
export interface Closed {
  readonly status: TransactionStatus
  readonly settledAmount: number
}

/** The statement of how much was charged, on its way to the gateway. */
export interface Closing {
  readonly action: 'settle' | 'void'
  /** Null if the function passed something else than an amount. */
  readonly charged: number | null
  /** Repeating the request with this key has no second effect. */
  readonly idempotencyKey: string
  readonly closed: Promise<Closed>
}

/** A hold with the parts that only `spend` uses. */
export interface OpenHold {
  readonly hold: Hold
  /** Closes the hold, unless the function has. */
  close(charged: number): Closing
  /** Undefined as long as nothing was said about the outcome. */
  closing(): Closing | undefined
  /** Whether `hold.nothingCharged` made this error. */
  isNothingCharged(error: unknown): boolean
}

/** The options are those of the requests that close the hold. */
export function createHold(
  { settle, void: release }: Pick<Api['transactions'], 'settle' | 'void'>,
  evaluation: ApprovedDecision,
  expiresAt: string,
  options: CallOptions,
): OpenHold {
  const { transactionId, amount: held } = evaluation
  const own = new WeakSet<object>()
  let closing: Closing | undefined

  function begin(charged: unknown): Closing {
    const action = charged === 0 ? 'void' : 'settle'
    // From the transaction's id, so that a later attempt to report the same has no second effect.
    const idempotencyKey = `${action}-${transactionId}`
    const request = { ...options, idempotencyKey }
    if (!(typeof charged === 'number' && charged >= 0 && Number.isFinite(charged))) {
      return { action, charged: null, idempotencyKey, closed: Promise.reject(notAnAmount(charged)) }
    }
    const closed = charged
      ? settle(transactionId, { amount: charged }, request)
      : release(transactionId, {}, request).catch(releasedBefore)
    return { action, charged, idempotencyKey, closed }
  }

  function closeOnce(charged: unknown): void {
    if (closing) {
      throw new PurserError(`The function has already said that ${closing.charged} was charged.`, {
        code: 'hold_closed',
      })
    }
    closing = begin(charged)
    // `spend` handles the failure, after the function has ended.
    closing.closed.catch(() => {})
  }

  return {
    hold: {
      transactionId,
      amount: held,
      expiresAt,
      evaluation,
      settle: closeOnce,
      void: () => closeOnce(0),
      nothingCharged(cause) {
        const detail = `The function charged nothing${cause instanceof Error ? `: ${cause.message}` : '.'}`
        const error = new PurserError(detail, { code: 'nothing_charged', cause })
        own.add(error)
        return error
      },
    },
    close(charged) {
      closing ??= begin(charged)
      return closing
    },
    closing: () => closing,
    isNothingCharged: (error) => own.has(Object(error)),
  }
}

/** A hold that has expired, or that was voided elsewhere, holds nothing any more. */
function releasedBefore(error: unknown): Closed {
  const status = PurserError.is(error) ? error.problem?.['transactionStatus'] : undefined
  if (status === 'expired' || status === 'voided') return { status, settledAmount: 0 }
  throw error
}

function notAnAmount(value: unknown): PurserError {
  return new PurserError(
    `\`hold.settle\` takes the charged amount, a number of at least 0, but got the ${typeof value} ${String(value)}.`,
    { code: 'invalid_amount' },
  )
}
