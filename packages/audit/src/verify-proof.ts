import { equalBytes } from './bytes.ts'
import { EMPTY_ROOT, HASH_BYTES, type Hash, nodeBytes } from './hash.ts'
import { planConsistency, planInclusion } from './proof.ts'
import { type HashSteps, runSteps, type Sha256 } from './steps.ts'

export interface InclusionClaim {
  readonly leafHash: Hash
  readonly index: number
  readonly size: number
  readonly root: Hash
  readonly hashes: readonly Hash[]
}

export interface ConsistencyClaim {
  readonly first: number
  readonly firstRoot: Hash
  readonly second: number
  readonly secondRoot: Hash
  readonly hashes: readonly Hash[]
}

/** Whether the leaf is in the tree. Malformed claims are false; they never throw. */
export function verifyInclusion(claim: InclusionClaim, sha256: Sha256): boolean {
  return runSteps(inclusionSteps(claim), sha256)
}

/** `verifyInclusion` as steps (RFC 6962, 2.1.1). */
export function* inclusionSteps(claim: InclusionClaim): HashSteps<boolean> {
  const { leafHash, index, size, root, hashes } = claim
  const plan = planInclusion(index, size)
  if (plan?.length !== hashes.length || ![leafHash, root, ...hashes].every(isHash)) return false
  let top = leafHash
  for (const [place, range] of plan.entries()) {
    const sibling = hashes[place] ?? EMPTY_ROOT
    top = yield range.end <= index ? nodeBytes(sibling, top) : nodeBytes(top, sibling)
  }
  return equalBytes(top, root)
}

/** Whether the second tree begins with all leaves of the first, in their order. */
export function verifyConsistency(claim: ConsistencyClaim, sha256: Sha256): boolean {
  return runSteps(consistencySteps(claim), sha256)
}

/** `verifyConsistency` as steps (RFC 6962, 2.1.2). */
export function* consistencySteps(claim: ConsistencyClaim): HashSteps<boolean> {
  const { first, firstRoot, second, secondRoot, hashes } = claim
  const plan = planConsistency(first, second)
  if (plan?.length !== hashes.length || ![firstRoot, secondRoot, ...hashes].every(isHash)) {
    return false
  }
  if (first === 0) return equalBytes(firstRoot, EMPTY_ROOT)
  // If the first tree is a subtree of the second, the path up begins with its root.
  const tops = { first: firstRoot, second: firstRoot }
  for (const [place, range] of plan.entries()) {
    const hash = hashes[place] ?? EMPTY_ROOT
    if (range.end === first) {
      tops.first = hash
      tops.second = hash
    } else if (range.end < first) {
      tops.first = yield nodeBytes(hash, tops.first)
      tops.second = yield nodeBytes(hash, tops.second)
    } else {
      tops.second = yield nodeBytes(tops.second, hash)
    }
  }
  return equalBytes(tops.first, firstRoot) && equalBytes(tops.second, secondRoot)
}

function isHash(value: unknown): boolean {
  return value instanceof Uint8Array && value.length === HASH_BYTES
}
