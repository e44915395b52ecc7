import { createHash } from 'node:crypto'
import { canonicalTextOf } from '@purser/audit'
import type { MandateTerms } from '../mandates/mandate.ts'
import { APPROVAL_EXPIRES_IN_DEFAULT } from '../rules/kinds/approval.ts'
import type { Rule } from '../rules/rule-set.ts'
import { parseDuration } from '../time/instant.ts'

/**
 * The part of a request that comes from a rule that asks for approval. It is computed once per
 * version of a mandate.
 */
export interface Asking {
  /**
   * Changes whenever the rule would judge differently. An approval was given for the rule as it was
   * then, so it lifts no other.
   */
  readonly settingsHash: string
  /** How long the rule lets a request wait for a person. */
  readonly waitsMs: number
}

/** Null for a rule that does not ask for approval. */
export function askingOf(rule: Rule, terms: AskingTerms): Asking | null {
  if (rule.effect !== 'require_approval') return null
  const { currency, timezone, budgetPeriod } = terms
  const stated = rule.type === 'approval' ? rule.expiresIn : undefined
  const waitsMs = parseDuration(stated ?? APPROVAL_EXPIRES_IN_DEFAULT)
  if (waitsMs === undefined) return null
  return { settingsHash: hashOf({ rule, currency, timezone, budgetPeriod }), waitsMs }
}

type AskingTerms = Pick<MandateTerms, 'currency' | 'timezone' | 'budgetPeriod'>

/** Equal values have equal hashes. */
export function hashOf(value: object): string {
  return createHash('sha256').update(canonicalTextOf(value)).digest('base64url')
}
