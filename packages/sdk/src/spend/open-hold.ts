import type { CallOptions } from '../client/call.ts'
import { badOption, readNumber } from '../client/options.ts'
import type { Api } from '../generated/tree.ts'
import type { Approval, Evaluation, SpendInput } from '../generated/types/index.ts'
import { APPROVAL_WAIT_MS, waitForApproval } from './wait-for-approval.ts'

/** The options of a spend. `timeoutMs` and `retries` are for each of its requests. */
export interface SpendOptions extends CallOptions {
  /**
   * `wait`: if the spend needs an approval, waits for a person and then spends with it. Without an
   * answer, nothing is spent. Default: the spend is rejected with `approval_required`.
   */
  readonly approval?: 'wait' | undefined
  /** How long to wait for a person, in milliseconds. Default: 30 minutes. */
  readonly approvalTimeoutMs?: number | undefined
  /**
   * Runs the function again if a spend with this `idempotencyKey` was begun before and its hold is
   * still open. Only for a function that can run twice without charging twice, for example because
   * it passes `hold.transactionId` to the vendor as the idempotency key.
   */
  readonly resume?: boolean | undefined
}

/** A decision on a spend that asked for a hold. */
export interface Opened {
  readonly evaluation: Evaluation
  /** The approval for which the spend waited. */
  readonly approval: Approval | null
  /** When the request was sent first, on the clock of `performance.now()`. */
  readonly askedAt: number
  /** Whether an earlier request with the same key got the same answer. */
  readonly isRepeated: boolean
}

/** Long enough to close the hold by hand if the outcome is unknown. */
export const HOLD_EXPIRES_IN = '1h'

/** A key of 255 characters, less an approval's id and a hyphen. */
const KEY_LENGTH_MAX = 200

/** Asks for a hold, and for it again with a person's approval if the caller wants to wait. */
export async function openHold(
  { gateway, approvals }: Pick<Api, 'gateway' | 'approvals'>,
  { hold = { expiresIn: HOLD_EXPIRES_IN }, ...spend }: SpendInput,
  options: SpendOptions,
): Promise<Opened> {
  const { approval: mode, approvalTimeoutMs, resume: _, idempotencyKey: key, ...call } = options
  if (mode !== undefined && mode !== 'wait') throw badOption("`approval` must be 'wait'.")
  const timeoutMs = readNumber('approvalTimeoutMs', approvalTimeoutMs, APPROVAL_WAIT_MS, 0)
  if (mode && key && key.length > KEY_LENGTH_MAX) {
    throw badOption('An `idempotencyKey` with `approval` has at most 200 characters.')
  }
  const ask = async (fields: Partial<SpendInput>, idempotencyKey: string | undefined) => {
    const askedAt = performance.now()
    const { data: evaluation, response } = await gateway
      .evaluate(
        { ...spend, hold, ...fields },
        { ...call, ...(idempotencyKey && { idempotencyKey }) },
      )
      .withResponse()
    const isRepeated = response.headers.get('idempotent-replayed') === 'true'
    return { evaluation, approval: null, askedAt, isRepeated }
  }
  const first = await ask({}, key)
  const { code, approval: asked } = first.evaluation.evaluationDetails
  if (mode !== 'wait' || code !== 'approval_required' || !asked) return first
  const { signal } = call
  const approval = await waitForApproval(approvals.get, asked.id, { timeoutMs, signal })
  if (!canUse(approval, first.evaluation, key)) return { ...first, approval }
  // The first key would give the first answer again. A key from it finds the same spend again.
  const second = await ask({ approvalId: approval.id }, key && `${key}-${approval.id}`)
  return { ...second, approval }
}

/** A spend that the permit does not cover would only ask the person again. */
function canUse(
  { status, permit }: Approval,
  { amount }: Evaluation,
  key: string | undefined,
): boolean {
  if (permit && permit.maxAmount < amount) return false
  // An earlier run with the same key may have used it: then its answer comes again.
  return status === 'approved' || (status === 'used' && key !== undefined)
}
