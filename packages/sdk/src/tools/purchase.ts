import { encodeHex } from '../base/bytes.ts'
import type { Answer, CallOptions } from '../client/call.ts'
import { PurserError } from '../client/errors.ts'
import type { EvaluationDetails } from '../generated/types/index.ts'

/** Rejections of one purchase. Each try asks for all earlier answers again, so they are bounded. */
const REJECTIONS_MAX = 50

/** A decision on a purchase, of either payment path. */
export interface Judged {
  readonly decision: 'approved' | 'rejected' | null
  readonly status: string
  readonly transactionId: string | null
  readonly evaluationDetails: EvaluationDetails | null
}

/** Sends the purchase once, with the approval that it presents. */
export type SendPurchase<T> = (
  approvalId: string | undefined,
  options: Pick<CallOptions, 'idempotencyKey'>,
) => Promise<Answer<T>>

interface Purchase<T> {
  /** One chain of keys per payment path, because the paths have different requests. */
  readonly path: 'evaluate' | 'x402'
  readonly purchaseId: string
  /** The approval that the model names for the first try. */
  readonly approvalId?: string | undefined
  readonly send: SendPurchase<T>
  /** Whether to stop at a rejection that was answered before, instead of asking again. */
  readonly stopAt?: (answer: T) => Promise<boolean>
}

export interface Bought<T> {
  readonly answer: T
  /** Whether the gateway gave this answer before. */
  readonly repeated: boolean
}

/**
 * Buys at most once under a `purchaseId`. Each try has an `Idempotency-Key` made from the
 * `purchaseId` and the transaction of the rejection before it. The gateway stores the answer to
 * each key, so every process that walks this chain meets the same rejections, and either the same
 * approval or the first key that was never used.
 *
 * The chain also finds the approval to present: the last one that a rejection named. A rejected
 * approval is presented too, so that a person's "no" stays. After an expired one, the purchase is
 * judged once more without it, which can open a new request.
 */
export async function buyOnce<T extends Judged>(purchase: Purchase<T>): Promise<Bought<T>> {
  let { answer, repeated, approvalId } = await sendFirst(purchase)
  for (let tries = 1; isOpen(answer) && (repeated || isExpired(answer)); tries += 1) {
    if (repeated && (await purchase.stopAt?.(answer))) break
    if (tries >= REJECTIONS_MAX) throw rejectedTooOften(purchase.purchaseId)
    approvalId = approvalAfter(answer, approvalId)
    const key = await keyOf(purchase, answer.transactionId)
    ;({ answer, repeated } = readAnswer(await purchase.send(approvalId, key)))
  }
  return { answer, repeated }
}

/**
 * Models like to add the `approvalId` when they try again. The chain already knows it, so a first
 * key that was used without one is tried without it. That key was used, so this spends nothing.
 */
async function sendFirst<T extends Judged>(purchase: Purchase<T>) {
  const { approvalId, send } = purchase
  const key = await keyOf(purchase, null)
  try {
    return { ...readAnswer(await send(approvalId, key)), approvalId }
  } catch (error) {
    if (approvalId === undefined || !isReused(error)) throw error
    return { ...readAnswer(await send(undefined, key)), approvalId: undefined }
  }
}

export function isReused(error: unknown): boolean {
  return PurserError.is(error) && error.code === 'idempotency_key_reused'
}

/** Nothing was bought with this answer, and nothing can be bought with it any more. */
function isOpen({ decision, status, transactionId }: Judged): boolean {
  return transactionId !== null && (decision === 'rejected' || status === 'not_paid')
}

function approvalAfter(answer: Judged, presented: string | undefined): string | undefined {
  if (isExpired(answer)) return undefined
  return answer.evaluationDetails?.approval?.id ?? presented
}

function isExpired({ evaluationDetails }: Judged): boolean {
  return evaluationDetails?.code === 'approval_expired'
}

function readAnswer<T>({ data, response }: Answer<T>): Bought<T> {
  return { answer: data, repeated: response.headers.get('idempotent-replayed') === 'true' }
}

async function keyOf(
  { path, purchaseId }: Pick<Purchase<unknown>, 'path' | 'purchaseId'>,
  rejectedId: string | null,
): Promise<{ readonly idempotencyKey: string }> {
  return { idempotencyKey: await hashedKey(path, purchaseId, rejectedId) }
}

/** Makes a key of fixed length from texts of any length. */
export async function hashedKey(...parts: readonly (string | number | null)[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `tool-${encodeHex(hash)}`
}

function rejectedTooOften(purchaseId: string): PurserError {
  return new PurserError(
    `The purchase ${JSON.stringify(purchaseId)} was rejected ${REJECTIONS_MAX} times.`,
    { code: 'purchase_rejected_often' },
  )
}
