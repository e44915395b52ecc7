import {
  type Hash,
  joinNodes,
  makeProof,
  nodesOfPlan,
  type ProofPlan,
  planConsistency,
  planInclusion,
  subtreesOf,
} from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { readNodes } from '../storage/audit/read-leaves.ts'
import type { Queryable } from '../storage/engine/database.ts'

/** The roots of the complete subtrees of the first `size` leaves, from left to right. */
export async function readFrontier(
  db: Queryable,
  organizationId: string,
  size: number,
): Promise<Hash[]> {
  const addresses = subtreesOf({ begin: 0, end: size })
  const read = await readNodes(db, organizationId, addresses)
  const nodes = addresses.flatMap((address) => read(address) ?? [])
  if (nodes.length !== addresses.length) throw brokenLog(organizationId)
  return nodes
}

/** The root hash of the first `size` leaves. */
export async function readRoot(db: Queryable, organizationId: string, size: number): Promise<Hash> {
  return joinNodes(await readFrontier(db, organizationId, size), sha256)
}

/**
 * Proves that each of these leaves is in the audit log of this size. Undefined if one cannot be.
 */
export async function proveInclusions(
  db: Queryable,
  organizationId: string,
  indexes: readonly number[],
  size: number,
): Promise<Hash[][] | undefined> {
  const plans = indexes.flatMap((index) => {
    const plan = planInclusion(index, size)
    return plan ? [plan] : []
  })
  return plans.length === indexes.length ? prove(db, organizationId, plans) : undefined
}

/**
 * Proves that the audit log of the second size begins with that of the first. Undefined if it
 * cannot.
 */
export async function proveConsistency(
  db: Queryable,
  organizationId: string,
  first: number,
  second: number,
): Promise<Hash[] | undefined> {
  const plan = planConsistency(first, second)
  if (!plan) return undefined
  const [hashes] = await prove(db, organizationId, [plan])
  return hashes
}

async function prove(
  db: Queryable,
  organizationId: string,
  plans: readonly ProofPlan[],
): Promise<Hash[][]> {
  const read = await readNodes(db, organizationId, plans.flatMap(nodesOfPlan))
  return plans.map((plan) => {
    const hashes = makeProof(plan, read, sha256)
    if (!hashes) throw brokenLog(organizationId)
    return hashes
  })
}

function brokenLog(organizationId: string): Error {
  return new Error(`Leaves of the audit log of ${organizationId} are missing.`)
}
