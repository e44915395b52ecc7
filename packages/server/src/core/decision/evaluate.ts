import { type Lift, lifts, type Permit, type Refusal, refusalOf } from '../approvals/permit.ts'
import { toPublicId } from '../id.ts'
import { type CompiledRule, type Policy, rulesFor } from '../mandates/policy.ts'
import { type DecisionCode, sharedCodes } from '../rules/codes.ts'
import type { Effect } from '../rules/define-rule.ts'
import { fail, type Judge, type Situation, type Verdict } from '../rules/verdict.ts'
import { isCheck, type Spend } from '../spend.ts'
import type { Instant } from '../time/instant.ts'
import { type Account, figuresAt } from './account.ts'
import { closedGate, type Gate } from './gate.ts'

type Outcome = 'pass' | 'fail' | 'escalate' | 'flag'

/** The verdict of one rule or budget on a spend, as the API shows it. */
export interface Finding {
  readonly id: string
  readonly type: string
  readonly outcome: Outcome
  readonly code: DecisionCode | null
  readonly observed: string | number | null
  readonly limit: string | number | null
  readonly window: string | null
  readonly message: string
}

export interface Evaluation {
  readonly gate: Gate | undefined
  /** Empty when a gate is closed. */
  readonly findings: readonly Finding[]
  /** The first finding that rejects, or else the first that asks for approval. */
  readonly firstFailure: Finding | undefined
  /** The ids of the rules that flagged the spend. */
  readonly flaggedBy: readonly string[]
  /** Why the presented approval did not help; set if a rule still asks for approval. */
  readonly refusal?: Refusal | undefined
}

const OUTCOMES: Readonly<Record<Effect, Outcome>> = {
  reject: 'fail',
  require_approval: 'escalate',
  flag: 'flag',
}

/**
 * Judges a spend by the rules of the agent's mandate, the rules of its parents, nearest first, and
 * then by all their budgets. A failure does not skip the rest, so the caller learns every reason for
 * a rejection at once.
 */
export function evaluate(spend: Spend, account: Account, now: Instant): Evaluation {
  const gate = closedGate(spend, account, now)
  if (gate) return { gate, findings: [], firstFailure: undefined, flaggedBy: NO_FLAGS }

  const { mandates, permit } = account
  const situations = situationsOf(spend, account, now)
  const findings: Finding[] = []
  let asked: Map<number, Finding> | undefined
  situations.forEach((situation, index) => {
    const policy = mandates[index]?.policy
    if (!policy) return
    for (const rule of rulesFor(policy, spend)) {
      const finding = find(rule, situation)
      const isAsked = permit !== undefined && finding.outcome === 'escalate'
      if (isAsked) asked = (asked ?? new Map()).set(findings.length, finding)
      findings.push(isAsked ? withPermit(finding, rule, policy, situation, permit) : finding)
    }
  })
  // A card check uses no budget.
  if (!isCheck(spend)) {
    situations.forEach((situation, index) => {
      const budget = mandates[index]?.policy.budget
      if (budget) findings.push(find(budget, situation))
    })
  }
  if (permit && asked) askTogether(findings, asked, permit)
  const firstFailure = firstFailureOf(findings)
  const flaggedBy = flagsOf(findings)
  const refusal =
    permit && firstFailure?.outcome === 'escalate' ? refusalOf(permit, spend, now) : undefined
  return { gate: undefined, findings, firstFailure, flaggedBy, refusal }
}

/**
 * This is the only place where an approval lets a spend pass: it lifts the finding of the rule that
 * asked, if that rule has not changed since. Everything else is judged as usual (ADR 42).
 */
function withPermit(
  finding: Finding,
  rule: CompiledRule,
  policy: Policy,
  { spend, now }: Situation,
  permit: Permit,
): Finding {
  const refusal = refusalOf(permit, spend, now)
  if (refusal) return { ...finding, message: `${finding.message} ${refusal.message}` }
  const name = toPublicId('apr', permit.approvalId)
  const asked = liftOf(rule, policy)
  if (!asked || !lifts(permit, asked)) {
    const message = `${finding.message} Approval ${name} does not cover this rule in its current form.`
    return { ...finding, message }
  }
  const message = `${finding.message} Approval ${name} allows it.`
  return { ...finding, outcome: 'pass', code: null, message }
}

/**
 * An approval lifts either all rules that ask or none. If each mandate's approval lifted only its
 * own rule, the next request would ask only about the other mandate, and no approval would ever let
 * the spend pass. Rejections by other rules are not affected.
 */
function askTogether(
  findings: Finding[],
  asked: ReadonlyMap<number, Finding>,
  { approvalId }: Permit,
): void {
  if (firstFailureOf(findings)?.outcome !== 'escalate') return
  const name = toPublicId('apr', approvalId)
  for (const [place, finding] of asked) {
    if (findings[place]?.outcome !== 'pass') continue
    const message = `${finding.message} Approval ${name} covers this rule, but not every rule that requires approval.`
    findings[place] = { ...finding, message }
  }
}

/** The entry that an approval needs to lift the rule; undefined for a rule that does not ask. */
export function liftOf({ id, asking }: CompiledRule, { mandateId }: Policy): Lift | undefined {
  return asking === null ? undefined : { mandateId, ruleId: id, settingsHash: asking.settingsHash }
}

/** The spend as each mandate sees it, in the order of the mandates. */
export function situationsOf(spend: Spend, account: Account, now: Instant): Situation[] {
  const { agent, usage, mandates } = account
  return mandates.map((mandate, index) => {
    const { spent, period } = figuresAt(mandate, now)
    return {
      spend,
      now,
      agent: { id: agent.id, tags: agent.tags },
      usage,
      budgetTotal: mandate.budgetTotal,
      budgetSpent: spent,
      period,
      isInherited: index > 0,
    }
  })
}

/** A rule that throws while it judges has failed. */
export function check({ judge }: CompiledRule, situation: Situation): Verdict {
  try {
    const verdict = judge.check(situation)
    return situation.spend.payee === null ? verdict : doubtClaim(judge, situation, verdict)
  } catch {
    return fail(sharedCodes.rule_error, null, null, 'The rule could not be evaluated.')
  }
}

/** Whether the finding rejects the spend or asks for approval. */
export function stands({ outcome }: Finding): boolean {
  return outcome === 'fail' || outcome === 'escalate'
}

function find(rule: CompiledRule, situation: Situation): Finding {
  const { code, observed, limit, window, message } = check(rule, situation)
  return {
    id: situation.isInherited ? rule.inheritedId : rule.id,
    type: rule.type,
    outcome: code === null ? 'pass' : OUTCOMES[rule.effect],
    code,
    observed,
    limit,
    window,
    message,
  }
}

function firstFailureOf(findings: readonly Finding[]): Finding | undefined {
  let escalated: Finding | undefined
  for (const finding of findings) {
    if (finding.outcome === 'fail') return finding
    if (finding.outcome === 'escalate') escalated ??= finding
  }
  return escalated
}

const NO_FLAGS: readonly string[] = []

/**
 * The ids of the rules that flagged the spend. Most spends have none, so nothing is allocated for
 * them.
 */
export function flagsOf(findings: readonly Finding[]): readonly string[] {
  if (!findings.some(isFlag)) return NO_FLAGS
  return findings.filter(isFlag).map(({ id }) => id)
}

function isFlag({ outcome }: Finding): boolean {
  return outcome === 'flag'
}

/**
 * The payee could have told the agent which vendor to name. So if only the agent says who is paid,
 * no spend passes a rule that reads the vendor: neither by an allow list, nor because the count,
 * price or history of a different vendor suits it better. If the rule rejects the spend anyway, that
 * reason comes first.
 *
 * Only this function does so; a rule only says when its verdict depends on the vendor.
 */
function doubtClaim(judge: Judge, { spend }: Situation, verdict: Verdict): Verdict {
  const { payee, vendor } = spend
  if (payee?.assurance !== 'agent_claimed' || verdict.code !== null) return verdict
  if (!judge.readsVendor?.(spend)) return verdict
  const message = `Only the agent claims that ${payee.address} is the address of ${vendor}. Confirm it with the vendor and add it to the vendor directory, or let the gateway ask the vendor.`
  return fail(sharedCodes.payee_mismatch, payee.address, null, message)
}
