import type { MandateAccount } from '../core/decision/account.ts'
import { rulesWithoutPast } from '../core/decision/past.ts'
import { toPublicId } from '../core/id.ts'
import type { MandateTerms } from '../core/mandates/mandate.ts'
import { mandateNotFound } from '../core/mandates/not-found.ts'
import { compilePolicy, type Policy } from '../core/mandates/policy.ts'
import type { Warning } from '../core/rules/warnings.ts'
import type { Spend } from '../core/spend.ts'
import type { Instant } from '../core/time/instant.ts'
import {
  type LockedMandate,
  readMandatesAlso,
  readMandatesOf,
} from '../storage/decisions/locked-mandates.ts'
import type { Tx } from '../storage/engine/database.ts'
import { readPolicyTerms } from '../storage/mandate-versions.ts'
import { toAccount } from './account-rows.ts'
import type { PreviewReads } from './batch/batch-reads.ts'
import { linesOf } from './batch/lines.ts'
import type { PolicyCache } from './policy-cache.ts'

/** The terms and the instant of a preview. A field that is left out is as it would be now. */
export interface Trial {
  /**
   * Judges by this mandate as if it were active, instead of the agent's active one. It must be a
   * draft of the agent, or its active mandate.
   */
  readonly mandateId?: string | undefined
  /** Judges by a new mandate with these terms, instead of the agent's active one. */
  readonly newMandate?: MandateTerms | undefined
  /** Replaces these terms of the mandate that judges. */
  readonly changes?: Partial<
    Pick<MandateTerms, 'name' | 'rules' | 'budgetTotal' | 'budgetPeriod' | 'validUntil'>
  >
  readonly at?: Instant | undefined
}

/** Stands for the id of a mandate that does not exist. No counter is stored under it. */
export const NO_MANDATE_ID = '00000000-0000-0000-0000-000000000000'

export interface TrialReads extends PreviewReads {
  /** Warnings about facts that the preview ignores. Call it after the reads. */
  warnings(): readonly Warning[]
}

type Line = readonly MandateAccount[]

export function readTrial(policyCache: PolicyCache, spend: Spend, trial: Trial): TrialReads {
  const { organizationId, agentId } = spend
  const { mandateId, newMandate, changes = {} } = trial
  let warnings: readonly Warning[] = []

  /** Returns undefined if the agent's active mandate judges. */
  function triedLine(
    mandates: readonly LockedMandate[],
    policyOf: (mandate: LockedMandate) => Policy,
  ): Line | undefined {
    if (newMandate) return [toNewAccount(newMandate, agentId)]
    if (mandateId === undefined) return undefined
    const tried = mandates.find(({ id }) => id === mandateId)
    if (!tried) throw mandateNotFound(toPublicId('mnd', mandateId))
    if (tried.status === 'active') return undefined
    const above = tried.ancestorIds.flatMap((id) => mandates.filter((each) => each.id === id))
    const own = toAccount({ ...tried, status: 'active' }, () => policyOf(tried))
    return [own, ...above.map((each) => toAccount(each, policyOf))]
  }

  return {
    warnings: () => warnings,
    mandates: (tx) =>
      mandateId === undefined
        ? readMandatesOf(tx, organizationId, [agentId])
        : readMandatesAlso(tx, organizationId, agentId, mandateId),
    async lines(tx, mandates) {
      const policyOf = await loadPolicies(tx, policyCache, organizationId, mandates)
      const active = linesOf(mandates, [], policyOf).get(agentId) ?? []
      const tried = triedLine(mandates, policyOf)
      const [own, ...above] = tried ?? active
      if (!own) return new Map()
      const judging = withTerms(own, changes)
      warnings = tried
        ? unknownVendors(active, judging.policy)
        : missingPast(own.policy, judging.policy)
      return new Map([[agentId, [judging, ...above]]])
    },
  }
}

/**
 * A draft keeps its version number when its terms change and when it is activated. So its policy
 * must never enter the cache, which would judge real spends by terms of the past.
 */
async function loadPolicies(
  tx: Tx,
  policyCache: PolicyCache,
  organizationId: string,
  mandates: readonly LockedMandate[],
): Promise<(mandate: LockedMandate) => Policy> {
  const drafts = mandates.filter(({ status }) => status === 'draft')
  const others = mandates.filter(({ status }) => status !== 'draft')
  const cached = await policyCache.load(tx, organizationId, others)
  if (drafts.length === 0) return cached
  const fresh = new Map<string, Policy>()
  for (const row of await readPolicyTerms(tx, organizationId, drafts)) {
    const { mandateId, version, policyHash: hash, origins, ...terms } = row
    fresh.set(mandateId, compilePolicy({ mandateId, version, hash, terms, origins }))
  }
  return (mandate) => {
    if (mandate.status !== 'draft') return cached(mandate)
    const policy = fresh.get(mandate.id)
    if (policy) return policy
    // The draft was deleted after the first statement.
    throw mandateNotFound(toPublicId('mnd', mandate.id))
  }
}

function toNewAccount(terms: MandateTerms, agentId: string): MandateAccount {
  return {
    policy: compilePolicy({ mandateId: NO_MANDATE_ID, version: 1, hash: 'draft', terms }),
    agentId,
    status: 'active',
    budgetTotal: terms.budgetTotal,
    spent: 0n,
    held: 0n,
    overdrawn: 0n,
    periodStart: null,
  }
}

function withTerms(own: MandateAccount, changes: NonNullable<Trial['changes']>): MandateAccount {
  if (Object.keys(changes).length === 0) return own
  const { mandateId, version, terms, origins } = own.policy
  const changed = { ...terms, ...changes }
  const policy = compilePolicy({ mandateId, version, hash: 'draft', terms: changed, origins })
  return { ...own, policy, budgetTotal: changes.budgetTotal ?? own.budgetTotal }
}

/** A past can be too long to count for a dry run, so the answer warns about rules without one. */
function missingPast(own: Policy, draft: Policy): Warning[] {
  if (own === draft) return []
  const message =
    'The mandate does not have these rules yet, so earlier spends are not counted for them here. Once it has the rules, earlier spends count.'
  return pastNotKnown(rulesWithoutPast(own, draft), message)
}

/**
 * The limits of a new mandate start at zero, as they do here. But its activation learns the agent's
 * vendors, unless the agent's active mandate or a parent of it has done so.
 */
function unknownVendors(active: Line, draft: Policy): Warning[] {
  if (active.some(({ policy }) => policy.needsVendorHistory)) return []
  const rules = draft.rules.filter(({ judge }) => judge.needsVendorHistory)
  const message =
    'No active mandate of the agent has such rules, so the vendors of earlier spends are not known here. Once the mandate is active, they are.'
  return pastNotKnown(
    rules.map(({ id }) => id),
    message,
  )
}

function pastNotKnown(ruleIds: string[], message: string): Warning[] {
  return ruleIds.length === 0 ? [] : [{ code: 'past_not_known', message, ruleIds }]
}
