import { type EvaluationDetails, summaryCodes, summaryOf } from './details.ts'
import { type Finding, flagsOf, stands } from './evaluate.ts'

/** The shown part of a decision, with amounts in currency units. */
export interface ShownDecision {
  readonly details: object
  readonly remainingBudget: number
  readonly amount: number
  readonly flags: readonly string[]
}

type Told = Pick<
  EvaluationDetails,
  'code' | 'message' | 'firstFailure' | 'failed' | 'rules' | 'budget' | 'next'
>

/** As it was answered. A field that was added later may be absent. */
type ShownAdvice = Partial<Told['next']>

/**
 * Shown in place of a parent's message when a stored answer is read, and not stored. So this sentence
 * stays as it is: with a new one, a retry of an earlier request would get different bytes.
 */
const SAID_NO = "A mandate above the agent's own does not allow this."

/**
 * The decision as an agent's key may see it (ADR 28). If a parent mandate rejects the spend, the
 * agent learns only the code. The parent's amounts, rules and expressions are its owners' business.
 * The stored decision stays complete. `remainingBudget` is that of the agent's own mandate, even if
 * a closed gate kept all rules from being evaluated.
 */
export function ownView(shown: ShownDecision): ShownDecision {
  const { details, amount } = shown
  if (!isJudged(details)) return shown
  const remainingBudget = details.budget?.remaining ?? shown.remainingBudget
  if (!details.rules.some(isAbove)) return { ...shown, remainingBudget }
  const rules = details.rules.flatMap((rule) => (isAbove(rule) ? refusalOf(rule) : [rule]))
  const first = details.rules.find(({ id }) => id === details.firstFailure)
  const names = new Map(
    details.rules.map((rule) => [rule.id, isAbove(rule) ? nameOf(rule) : rule.id]),
  )
  return {
    amount,
    flags: ownFlags(shown.flags),
    remainingBudget,
    details: {
      ...details,
      message: messageOf(details, rules, first),
      firstFailure: first ? (names.get(first.id) ?? null) : details.firstFailure,
      failed: [...new Set(details.failed.map((id) => names.get(id) ?? id))],
      rules,
      next: nextOf(details, amount),
      ...receiptWithoutSalt(details),
    },
  }
}

/** With the salt, the agent could guess the hidden parts and check each guess against the leaf. */
function receiptWithoutSalt(details: object): object {
  if (!('receipt' in details) || details.receipt === null) return {}
  return { receipt: { ...Object(details.receipt), salt: null } }
}

/** The flags without those of the parents' rules. */
export function ownFlags(flags: readonly string[]): string[] {
  return flags.filter((id) => !isOfAbove(id))
}

function isJudged(details: object): details is Told {
  return 'rules' in details && Array.isArray(details.rules)
}

function isAbove({ id }: Finding): boolean {
  return isOfAbove(id)
}

/** No rule of the agent's own mandate has a slash in its id. */
function isOfAbove(ruleId: string): boolean {
  return ruleId.includes('/')
}

/** Hides the id of the rule: a person chose it, and it may reveal the content of the rule. */
function nameOf({ type }: Finding): string {
  return `above/${type}`
}

function refusalOf(rule: Finding): Finding[] {
  if (!stands(rule)) return []
  const { type, outcome, code } = rule
  const unseen = { observed: null, limit: null, window: null }
  return [{ id: nameOf(rule), type, outcome, code, ...unseen, message: SAID_NO }]
}

function messageOf(
  { code, message }: Told,
  rules: readonly Finding[],
  first: Finding | undefined,
): string {
  if (first) return isAbove(first) ? SAID_NO : message
  // The message of an approved spend names every rule that flags it.
  if (code !== summaryCodes.approved.code) return message
  const flaggedBy = flagsOf(rules)
  return summaryOf({ gate: undefined, firstFailure: undefined, flaggedBy }).message
}

/**
 * If a parent rejects the spend, the largest amount and the time are the parent's figures. If none
 * does, an amount up to the requested one is bounded by the agent's own mandate alone. A larger
 * amount may be bounded by a parent.
 */
function nextOf({ rules, next }: Told, amount: number): ShownAdvice {
  const isRefusedAbove = rules.some((rule) => isAbove(rule) && stands(rule))
  const ownBound = (most: number | null): number | null =>
    !isRefusedAbove && most !== null && most <= amount ? most : null
  return {
    maxAmountNow: ownBound(next.maxAmountNow),
    // A decision from before this field existed stays as it was answered.
    ...(next.maxAmountWithApproval !== undefined && {
      maxAmountWithApproval: ownBound(next.maxAmountWithApproval),
    }),
    retryAfter: isRefusedAbove ? null : next.retryAfter,
  }
}
