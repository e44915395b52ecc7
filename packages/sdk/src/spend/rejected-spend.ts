import { SpendRejectedError } from '../client/errors.ts'
import type { Approval, Evaluation } from '../generated/types/index.ts'
import type { Opened } from './open-hold.ts'

/** A spend that the gateway rejected. Its function did not run. */
export type RejectedSpend = Evaluation & {
  readonly decision: 'rejected'
  /** The reason as a code. `evaluationDetails` has the whole decision. */
  readonly code: string
  /** The reason in a sentence. */
  readonly message: string
  /**
   * The approval for which the spend waited, as it was read last. While it is `pending` or
   * `approved`, it can still be used: spend again with its id as `approvalId`. Null if the spend did
   * not wait.
   */
  readonly approval: Approval | null
}

export function toRejected({ evaluation, approval }: Opened): RejectedSpend {
  const { code, message } = evaluation.evaluationDetails
  const own = { code, message, ...reasonOf(evaluation, approval) }
  return { ...evaluation, ...own, decision: 'rejected', approval } as RejectedSpend
}

/** Returns the reason that came after the decision; nothing if the gateway gave the reason. */
function reasonOf({ amount }: Evaluation, approval: Approval | null) {
  const { status, permit, decisions = [] } = approval ?? {}
  const comment = decisions[0]?.comment
  if (status === 'rejected') {
    const message = `A person rejected the request for approval${comment ? `: ${comment}` : '.'}`
    return { code: 'approval_rejected', message }
  }
  if (status === 'expired') {
    return { code: 'approval_expired', message: 'The approval was not answered or used in time.' }
  }
  if (permit && permit.maxAmount < amount) {
    return { message: `A person approved at most ${permit.maxAmount}.` }
  }
  return status === 'used' ? { message: 'A different spend has used the approval.' } : {}
}

/** Throws the rejection as an error. */
export function approvedOf<T extends { readonly decision: 'approved' }>(
  outcome: T | RejectedSpend,
): T {
  if (outcome.decision === 'approved') return outcome
  const { code, message } = outcome
  throw new SpendRejectedError(message, { code, status: 200 }, outcome)
}
