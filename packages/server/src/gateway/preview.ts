import { agentNotFound } from '../core/agent.ts'
import type { MandateAccount } from '../core/decision/account.ts'
import { type Decision, decide } from '../core/decision/decide.ts'
import { rulesWithoutPast } from '../core/decision/past.ts'
import { mandatesShortOfRoom } from '../core/decision/room.ts'
import { compilePolicy, type Policy } from '../core/mandates/policy.ts'
import type { Rule } from '../core/rules/rule-set.ts'
import type { Warning } from '../core/rules/warnings.ts'
import type { Spend } from '../core/spend.ts'
import type { Database } from '../storage/engine/database.ts'
import { transactionFor } from '../storage/engine/queryable.ts'
import { listOverdueHoldsBelow } from '../storage/overdue-holds.ts'
import { type BatchReadParts, readBatch } from './batch/batch-reads.ts'
import { collectWrites } from './batch/batch-writes.ts'
import type { SweepLine } from './holds/hold-sweeper.ts'

/** The decision that would be made, with warnings about facts that it ignores. */
export interface Preview extends Decision {
  readonly warnings: readonly Warning[]
}

interface PreviewParts extends BatchReadParts {
  readonly db: Database
  readonly sweepLine: SweepLine
}

/**
 * Returns the decision that would be made now, by the same code that makes decisions. It locks
 * nothing. It writes nothing either, unless it must first release overdue holds, as before a budget
 * is shown. So it never makes a spend wait and uses no evaluation of the plan, but it may be
 * outdated as soon as it is answered.
 */
export async function previewDecision(
  parts: PreviewParts,
  spend: Spend,
  rules: readonly Rule[] | undefined,
): Promise<Preview> {
  const first = await judge(parts, spend, rules)
  const mandateIds = mandatesShortOfRoom(first, spend)
  if (mandateIds.length === 0) return first
  // As for a decision, overdue holds must not take up budget.
  const { db } = parts
  const found = await listOverdueHoldsBelow(db, spend.organizationId, mandateIds, first.at, 1)
  if (found.length === 0) return first
  await parts.sweepLine(spend.organizationId, mandateIds, first.at)
  return judge(parts, spend, rules)
}

function judge(
  parts: PreviewParts,
  spend: Spend,
  rules: readonly Rule[] | undefined,
): Promise<Preview> {
  let warnings: readonly Warning[] = []
  function draft(own: MandateAccount): MandateAccount {
    if (!rules) return own
    const changed = withRules(own, rules)
    warnings = missingPast(own.policy, changed.policy)
    return changed
  }
  const preview = { draft }
  const submission = { spend, reason: null, metadata: null, idempotency: null, receivedAt: 0 }
  return transactionFor(parts.db, spend.organizationId, async (tx) => {
    const reads = await readBatch(tx, { ...parts, preview }, spend.organizationId, [submission])
    const spender = reads.spender(spend.agentId)
    if (!spender || spender.isDeleted) throw agentNotFound(spend.agentId)
    const account = collectWrites(reads, nowhere).account(spend)
    const decision = decide(spend, account, reads.now)
    if (decision.unread.length === 0) return { ...decision, warnings }
    await reads.readFurther(decision.unread)
    return { ...decide(spend, account, reads.now), warnings }
  })
}

/** A preview opens no approval request, so there is no URL. */
function nowhere(): null {
  return null
}

function withRules(own: MandateAccount, rules: readonly Rule[]): MandateAccount {
  const { mandateId, version, terms, origins } = own.policy
  const changed = { ...terms, rules }
  return {
    ...own,
    policy: compilePolicy({ mandateId, version, hash: 'draft', terms: changed, origins }),
  }
}

/** A past can be too long to count for a dry run, so the answer warns about rules without one. */
function missingPast(own: Policy, draft: Policy): Warning[] {
  const ruleIds = rulesWithoutPast(own, draft)
  if (ruleIds.length === 0) return []
  const message =
    'The mandate does not have these rules yet, so earlier spends are not counted for them here. Once it has the rules, earlier spends count.'
  return [{ code: 'past_not_known', message, ruleIds }]
}
