import { compilePolicy, type Policy } from '../core/mandates/policy.ts'
import { PLANS, type Plan } from '../core/plan.ts'
import type { Tx } from '../storage/engine/database.ts'
import { readPolicyTerms } from '../storage/mandate-versions.ts'

/** Each map keeps this many entries and evicts the oldest first. */
const ENTRIES_MAX = 50_000

interface Version {
  readonly id: string
  readonly version: number
}

/**
 * The memory of the process between batches. Compiled policies never change once a version exists.
 * Guesses about the needs of an agent's next spend let the batch read those rows in the same round
 * trip as the locks. Each guess is checked against the locked rows. The cache never holds a
 * balance, a status or a count.
 */
export interface PolicyCache {
  /** The policies of the agent's last spend: its own mandate's first, then its parents'. */
  guess(agentId: string): readonly Policy[]
  remember(agentId: string, policies: readonly Policy[]): void
  /** Whether the organization's plan may limit evaluations; true if the plan is unknown. */
  mayBeLimited(organizationId: string): boolean
  rememberPlan(organizationId: string, plan: Plan): void
  /** The policies of these versions. Reads only the missing ones from the database. */
  load(
    tx: Tx,
    organizationId: string,
    versions: readonly Version[],
  ): Promise<(version: Version) => Policy>
}

export function createPolicyCache(): PolicyCache {
  const policies = new Map<string, Policy>()
  const guesses = new Map<string, readonly Policy[]>()
  const plans = new Map<string, Plan>()

  function find({ id, version }: Version): Policy | undefined {
    const policy = policies.get(id)
    return policy?.version === version ? policy : undefined
  }

  return {
    guess: (agentId) => guesses.get(agentId) ?? [],
    remember: (agentId, chain) => keep(guesses, agentId, chain),
    rememberPlan: (organizationId, plan) => keep(plans, organizationId, plan),
    mayBeLimited(organizationId) {
      const plan = plans.get(organizationId)
      return plan === undefined || PLANS[plan].evaluationsPerMonth !== null
    },
    async load(tx, organizationId, versions) {
      const missing = versions.filter((version) => find(version) === undefined)
      // These are kept apart from the bounded map, because a batch may need more policies than the
      // map keeps.
      const fresh = new Map<string, Policy>()
      if (missing.length > 0) {
        const rows = await readPolicyTerms(tx, organizationId, missing)
        for (const { mandateId, version, policyHash: hash, origins, ...terms } of rows) {
          const policy = compilePolicy({ mandateId, version, hash, terms, origins })
          fresh.set(mandateId, policy)
          keep(policies, mandateId, policy)
        }
      }
      return (version) => {
        const policy = fresh.get(version.id) ?? find(version)
        if (policy) return policy
        throw new Error(`Mandate ${version.id} has no version ${version.version}.`)
      }
    },
  }
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.get(key) === value) return
  map.set(key, value)
  if (map.size <= ENTRIES_MAX) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
