import type { MandateAccount } from '../core/account.ts'
import { agentNotFound } from '../core/agent.ts'
import { type Decision, decide } from '../core/decide.ts'
import { compilePolicy } from '../core/policy.ts'
import type { Rule } from '../core/rule-set.ts'
import type { Spend } from '../core/spend.ts'
import type { Database } from '../storage/database.ts'
import { openBooks } from './books.ts'
import { type LedgerParts, openLedger } from './ledger.ts'

/**
 * The decision that would be made now, by the same code that makes decisions. It locks nothing and
 * writes nothing, so it never makes a spend wait, costs no evaluation of the plan, and may be out of
 * date as soon as it is answered.
 */
export function previewDecision(
  parts: LedgerParts & { readonly db: Database },
  spend: Spend,
  rules: readonly Rule[] | undefined,
): Promise<Decision> {
  const preview = { draft: (own: MandateAccount) => (rules ? withRules(own, rules) : own) }
  const attempt = { spend, reason: null, metadata: null, idempotency: null, receivedAt: 0 }
  return parts.db.transaction(async (tx) => {
    const ledger = await openLedger(tx, { ...parts, preview }, spend.organizationId, [attempt])
    if (!ledger.spender(spend.agentId)) throw agentNotFound(spend.agentId)
    return decide(spend, openBooks(ledger).account(spend), ledger.now)
  })
}

function withRules(own: MandateAccount, rules: readonly Rule[]): MandateAccount {
  const { mandateId, version, terms } = own.policy
  return {
    ...own,
    policy: compilePolicy({ mandateId, version, hash: 'draft', terms: { ...terms, rules } }),
  }
}
