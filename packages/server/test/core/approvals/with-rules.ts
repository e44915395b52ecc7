import type { Account } from '../../../src/core/decision/account.ts'
import { compilePolicy } from '../../../src/core/mandates/policy.ts'
import type { Rule } from '../../../src/core/rules/rule-set.ts'

/** The account after somebody has changed the rules of the agent's own mandate. */
export function withRulesOf(account: Account, rules: readonly Rule[]): Account {
  const [own, ...above] = account.mandates
  if (!own) return account
  const { mandateId, version, hash, terms } = own.policy
  const changed = { mandateId, version: version + 1, hash, terms: { ...terms, rules } }
  return { ...account, mandates: [{ ...own, policy: compilePolicy(changed) }, ...above] }
}
