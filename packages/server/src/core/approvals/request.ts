import type { Account } from '../decision/account.ts'
import { type Evaluation, type Finding, liftOf } from '../decision/evaluate.ts'
import { toPublicId } from '../id.ts'
import { rulesFor } from '../mandates/policy.ts'
import { sharedCodes } from '../rules/codes.ts'
import type { Spend } from '../spend.ts'
import { hashOf } from './asking.ts'
import { canBeAskedAbout, type Lift, lifts } from './permit.ts'

/** At most so many requests of one agent wait at a time: nobody can read more with care. */
export const PENDING_PER_AGENT_MAX = 100

/** What a rejected spend asks a person, because nothing but such questions stood in its way. */
export interface Question {
  readonly lifts: readonly Lift[]
  /** What the asking rules found, as the person is shown it. */
  readonly findings: readonly Finding[]
  /** How long an answer is waited for. */
  readonly waitsMs: number
  /** The approval that the spend presented and that waits: it is not asked about again. */
  readonly waitingFor: string | null
}

/**
 * What a person is asked about a spend that was rejected. Null where something stands in the way that
 * no person can lift, or where a person has answered already.
 */
export function questionOf(
  spend: Spend,
  account: Account,
  { findings, refusal }: Evaluation,
): Question | null {
  if (!canBeAskedAbout(spend) || findings.some(({ outcome }) => outcome === 'fail')) return null
  if (refusal && refusal.code !== sharedCodes.approval_required.code) return null
  const asking = askingRules(spend, account, findings)
  const asked = asking.flatMap(({ lift }) => lift ?? [])
  // A rule that no approval could name would only make a person answer in vain.
  if (asked.length === 0 || asked.length < asking.length) return null
  const { permit } = account
  const isAskedAlready =
    permit !== undefined &&
    refusal?.isWaiting === true &&
    asked.every((lift) => lifts(permit, lift))
  return {
    lifts: asked,
    findings: asking.map(({ finding }) => finding),
    waitsMs: Math.min(...asking.map(({ waitsMs }) => waitsMs)),
    waitingFor: isAskedAlready ? permit.approvalId : null,
  }
}

interface AskingRule {
  readonly finding: Finding
  readonly lift: Lift | undefined
  readonly waitsMs: number
}

/** Findings come in the order of the rules, mandate by mandate. */
function askingRules(
  spend: Spend,
  { mandates }: Account,
  findings: readonly Finding[],
): AskingRule[] {
  const rules = mandates.flatMap(({ policy }) =>
    rulesFor(policy, spend).map((rule) => ({ rule, policy })),
  )
  return rules.flatMap(({ rule, policy }, place) => {
    const finding = findings[place]
    if (finding?.outcome !== 'escalate') return []
    const waitsMs = rule.asking?.waitsMs ?? Number.POSITIVE_INFINITY
    return [{ finding, lift: liftOf(rule, policy), waitsMs }]
  })
}

/**
 * The same for requests that a person would answer in the same way: these are asked once. What only
 * describes the purchase, such as its reference, has no part in it.
 */
export function digestOf(
  { lifts }: Question,
  spend: Spend,
  mandateId: string | null,
  currency: string | null,
): string {
  const { agentId, vendor, category, path, payee, card } = spend
  const amount = String(spend.amount)
  const address = payee?.address ?? null
  const cardId = card?.cardId ?? null
  const subject = { agentId, mandateId, vendor, category, path, amount, currency, address, cardId }
  return hashOf({ ...subject, lifts })
}

/** The console's page for an approval; null while the gateway does not know its public address. */
export function toApprovalUrl(publicUrl: string | undefined, approvalId: string): string | null {
  return publicUrl === undefined
    ? null
    : `${publicUrl}/console/approvals/${toPublicId('apr', approvalId)}`
}
