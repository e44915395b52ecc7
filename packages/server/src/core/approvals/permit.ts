import { toPublicId } from '../id.ts'
import { type Micros, showMoney } from '../money.ts'
import type { PathName } from '../path.ts'
import { type DecisionCode, defineCodes, sharedCodes } from '../rules/codes.ts'
import { isCheck, isIncrement, type Spend } from '../spend.ts'
import type { Instant } from '../time/instant.ts'

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired', 'used'] as const

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

/** A rule that asked for approval, as it was at that time. */
export interface Lift {
  readonly mandateId: string
  /** The id of the rule in that mandate, even if the mandate is a parent of the agent's. */
  readonly ruleId: string
  readonly settingsHash: string
}

/** An approval as a spend presents it: its scope and its status. */
export interface Permit {
  readonly approvalId: string
  readonly status: ApprovalStatus
  /**
   * The end of the wait for a person or, once it is approved, of the time in which it can be used.
   */
  readonly expiresAt: Instant
  readonly vendor: string
  readonly category: string | null
  readonly path: PathName
  /** The payee address at the time when the person was asked. */
  readonly payee: string | null
  readonly cardId: string | null
  readonly maxAmount: Micros
  readonly currency: string
  readonly lifts: readonly Lift[]
}

/** Why a permit does not lift the rules that ask for approval. */
export interface Refusal {
  readonly code: DecisionCode
  readonly message: string
  /** True if no person has answered yet: the spend then waits for the same answer. */
  readonly isWaiting: boolean
}

export const approvalCodes = defineCodes({
  approval_rejected: {
    meaning: 'A person rejected the request for approval.',
    action: 'Do not retry. The comment of the approval may say what to do instead.',
    repeat: 'no',
  },
  approval_expired: {
    meaning:
      'The request for approval was not answered in time, or the approval was not used in time.',
    action: 'Send the spend without `approvalId` to ask again.',
    repeat: 'no',
  },
})

/** Pending and approved permits expire by the clock, even before the expiry is recorded. */
export function approvalStatusAt(
  { status, expiresAt }: Pick<Permit, 'status' | 'expiresAt'>,
  now: Instant,
): ApprovalStatus {
  const canEnd = status === 'pending' || status === 'approved'
  return canEnd && expiresAt <= now ? 'expired' : status
}

/** Undefined if the permit covers the spend, which may then be made once. */
export function refusalOf(permit: Permit, spend: Spend, now: Instant): Refusal | undefined {
  const name = toPublicId('apr', permit.approvalId)
  const required = sharedCodes.approval_required.code
  const other = differenceOf(permit, spend)
  if (other !== undefined) {
    return { code: required, message: `Approval ${name} is for ${other}.`, isWaiting: false }
  }
  switch (approvalStatusAt(permit, now)) {
    case 'approved':
      return undefined
    case 'pending':
      return { code: required, message: `Approval ${name} is still pending.`, isWaiting: true }
    case 'used':
      return { code: required, message: `Approval ${name} was already used.`, isWaiting: false }
    case 'rejected': {
      const { code } = approvalCodes.approval_rejected
      return { code, message: `Approval ${name} was rejected.`, isWaiting: false }
    }
    case 'expired': {
      const { code } = approvalCodes.approval_expired
      return { code, message: `Approval ${name} has expired.`, isWaiting: false }
    }
  }
}

/** Whether a person was asked about exactly this rule, with these settings. */
export function lifts(permit: Permit, { mandateId, ruleId, settingsHash }: Lift): boolean {
  return permit.lifts.some(
    (lift) =>
      lift.mandateId === mandateId && lift.ruleId === ruleId && lift.settingsHash === settingsHash,
  )
}

/** Whether a person can be asked about the spend. Only then can a permit cover it. */
export function canBeAskedAbout(spend: Spend): boolean {
  return !isCheck(spend) && !isIncrement(spend)
}

/** The difference between the permit and the spend; undefined if the permit covers the spend. */
function differenceOf(permit: Permit, spend: Spend): string | undefined {
  if (!canBeAskedAbout(spend)) return 'a new purchase, not for a card check or an increase'
  if (permit.vendor !== spend.vendor) return `a different vendor, ${permit.vendor}`
  if (permit.category !== spend.category)
    return `a different category, ${permit.category ?? 'none'}`
  if (permit.path !== spend.path) return `a different payment path, ${permit.path}`
  if (permit.cardId !== (spend.card?.cardId ?? null)) return 'a different card'
  if (spend.currency !== null && spend.currency !== permit.currency) return 'a different currency'
  if (spend.amount > permit.maxAmount) {
    return `at most ${showMoney(permit.maxAmount, permit.currency)}`
  }
  return isOtherPayee(permit, spend) ? 'a different payee address' : undefined
}

/**
 * A person who approves a vendor trusts that the money goes there. An address that only the agent
 * names must be the one that the person was shown.
 */
function isOtherPayee(permit: Permit, { payee }: Spend): boolean {
  return payee?.assurance === 'agent_claimed' && payee.address !== permit.payee
}
