import { type EvaluationDetails, summaryCodes, summaryOf } from './details.ts'
import { type Finding, flagsOf, stands } from './evaluate.ts'

/** What is shown of a decision, with amounts in currency units. */
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

/** As it was answered: a field that came later may be absent. */
type ShownAdvice = Partial<Told['next']>

/**
 * Shown in place of a parent's message when a stored answer is read, and not stored. So this sentence
 * stays as it is: with a new one, a retry of an earlier request would get different bytes.
 */
const SAID_NO = "A mandate above the agent's own does not allow this."

/**
 * The decision as an agent may see it. Of the mandates above its own it learns that they said no, and
 * with which code; their figures, rules and expressions are its owners' business. What is stored stays
 * whole. What is left is that of its own mandate, also where a closed gate has kept all rules from being
 * asked.
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

/** Whoever has the salt could try what the hidden parts may be, until the leaf fits. */
function receiptWithoutSalt(details: object): object {
  if (!('receipt' in details) || details.receipt === null) return {}
  return { receipt: { ...Object(details.receipt), salt: null } }
}

/** Without those of rules of mandates above. */
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

/** The id that a person gave to a rule may tell what it is about. */
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
  // The message of an approval names every rule that flags it.
  if (code !== summaryCodes.approved.code) return message
  const flaggedBy = flagsOf(rules)
  return summaryOf({ gate: undefined, firstFailure: undefined, flaggedBy }).message
}

/**
 * If a mandate above stands in the way, the largest amount and the time are its figures. If none does,
 * a smaller amount than the one that was asked for is bounded by the agent's own mandate alone. A
 * larger one may be bounded from above.
 */
function nextOf({ rules, next }: Told, amount: number): ShownAdvice {
  const isRefusedAbove = rules.some((rule) => isAbove(rule) && stands(rule))
  const ownBound = (most: number | null): number | null =>
    !isRefusedAbove && most !== null && most <= amount ? most : null
  return {
    maxAmountNow: ownBound(next.maxAmountNow),
    // A decision from before this was told stays as it was answered.
    ...(next.maxAmountWithApproval !== undefined && {
      maxAmountWithApproval: ownBound(next.maxAmountWithApproval),
    }),
    retryAfter: isRefusedAbove ? null : next.retryAfter,
  }
}
