import type { Account } from '../decision/account.ts'
import { type Evaluation, type Finding, liftOf } from '../decision/evaluate.ts'
import { toPublicId } from '../id.ts'
import { rulesFor } from '../mandates/policy.ts'
import { sharedCodes } from '../rules/codes.ts'
import type { Spend } from '../spend.ts'
import { hashOf } from './asking.ts'
import { canBeAskedAbout, type Lift, lifts } from './permit.ts'

/** The maximum number of pending requests per agent: a person cannot review more with care. */
export const PENDING_PER_AGENT_MAX = 100

/** The question of a spend that was rejected only by rules that ask for approval. */
export interface Question {
  readonly lifts: readonly Lift[]
  /** The findings of the rules that ask, as the person sees them. */
  readonly findings: readonly Finding[]
  /** How long the request waits for an answer. */
  readonly waitsMs: number
  /** The pending approval that the spend presented. The gateway does not ask for it again. */
  readonly waitingFor: string | null
}

/**
 * The question to a person about a rejected spend. Null if something rejects the spend that no
 * person can lift, or if a person has already answered.
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
  // If one of the rules cannot be named in an approval, an answer would not help.
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
 * Equal for requests that a person would answer in the same way, so that they are asked once. Fields
 * that only describe the purchase, such as its reference, are left out.
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
  return publicUrl === undefined ? null : `${publicUrl}/approvals/${toPublicId('apr', approvalId)}`
}
