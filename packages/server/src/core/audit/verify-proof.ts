import { EMPTY_ROOT, HASH_BYTES, type Hash, hashNode } from './hash.ts'
import { planConsistency, planInclusion } from './proof.ts'

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

/** Whether the leaf is in the tree. Whatever it is given, the worst that it says is no. */
export function verifyInclusion({ leafHash, index, size, root, hashes }: InclusionClaim): boolean {
  const plan = planInclusion(index, size)
  if (plan?.length !== hashes.length || ![leafHash, root, ...hashes].every(isHash)) return false
  const top = plan.reduce((below, range, place) => {
    const sibling = hashes[place] ?? EMPTY_ROOT
    return range.end <= index ? hashNode(sibling, below) : hashNode(below, sibling)
  }, leafHash)
  return top.equals(root)
}

/** Whether the second tree begins with all leaves of the first, in their order. */
export function verifyConsistency(claim: ConsistencyClaim): boolean {
  const { first, firstRoot, second, secondRoot, hashes } = claim
  const plan = planConsistency(first, second)
  if (plan?.length !== hashes.length || ![firstRoot, secondRoot, ...hashes].every(isHash)) {
    return false
  }
  if (first === 0) return firstRoot.equals(EMPTY_ROOT)
  // Where the first tree is a subtree of the second, the way up begins with its root.
  const tops = { first: firstRoot, second: firstRoot }
  for (const [place, range] of plan.entries()) {
    const hash = hashes[place] ?? EMPTY_ROOT
    if (range.end === first) {
      tops.first = hash
      tops.second = hash
    } else if (range.end < first) {
      tops.first = hashNode(hash, tops.first)
      tops.second = hashNode(hash, tops.second)
    } else {
      tops.second = hashNode(tops.second, hash)
    }
  }
  return tops.first.equals(firstRoot) && tops.second.equals(secondRoot)
}

function isHash(value: Hash): boolean {
  return Buffer.isBuffer(value) && value.length === HASH_BYTES
}
