import { compilePolicy, type Policy } from '../core/mandates/policy.ts'
import type { Rule } from '../core/rules/rule-set.ts'
import type { Database } from '../storage/engine/database.ts'
import { transactionFor } from '../storage/engine/queryable.ts'
import { readPolicyTerms } from '../storage/mandate-versions.ts'

/** A mandate may have thousands of versions, and a replay needs each of them only for a while. */
const POLICIES_MAX = 500

interface Version {
  readonly id: string
  readonly version: number
}

/**
 * Compiled policies of versions that judged in the past. They are separate from the gateway's own
 * policy cache, which keeps only the newest version of each mandate.
 */
export interface RecordedPolicies {
  /** The version must be one of those loaded last. */
  of(version: Version): Policy
  load(versions: readonly Version[]): Promise<void>
}

/** `rulesOf` may replace the rules that a mandate had. */
export function createRecordedPolicies(
  db: Database,
  organizationId: string,
  rulesOf: (mandateId: string, rules: readonly Rule[]) => readonly Rule[] | undefined = () =>
    undefined,
): RecordedPolicies {
  const policies = new Map<string, Policy>()
  return {
    of(version) {
      const policy = policies.get(nameOf(version))
      if (!policy) throw new Error(`Mandate ${version.id} has no version ${version.version}.`)
      return policy
    },
    async load(versions) {
      if (policies.size > POLICIES_MAX) policies.clear()
      const missing = new Map(
        versions
          .filter((version) => !policies.has(nameOf(version)))
          .map((version) => [nameOf(version), version]),
      )
      if (missing.size === 0) return
      const rows = await transactionFor(db, organizationId, (tx) =>
        readPolicyTerms(tx, organizationId, [...missing.values()]),
      )
      for (const { mandateId, version, policyHash: hash, origins, ...terms } of rows) {
        const other = rulesOf(mandateId, terms.rules)
        const policy = other
          ? compilePolicy({ mandateId, version, hash, terms: { ...terms, rules: other } })
          : compilePolicy({ mandateId, version, hash, terms, origins })
        policies.set(nameOf({ id: mandateId, version }), policy)
      }
    },
  }
}

function nameOf({ id, version }: Version): string {
  return `${id} ${version}`
}
