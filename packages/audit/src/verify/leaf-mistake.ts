import { equalBytes } from '../bytes.ts'
import type { LeafLine } from '../export-line.ts'
import { commitTo, hashOfLeaf } from '../leaf.ts'
import type { Sha256 } from '../steps.ts'

/** Returns the mistake of a single leaf, independent of its tree. */
export function leafMistake(
  { index, hash, leaf, opening }: LeafLine,
  sha256: Sha256,
): string | undefined {
  if (leaf && !equalBytes(hashOfLeaf(leaf, sha256), hash)) {
    return `leaf ${index} does not match its hash: the leaf or the hash was changed`
  }
  if (leaf && opening && commitTo(opening.payload, opening.salt, sha256) !== leaf.commitment) {
    return `the payload of leaf ${index} does not match the commitment in the leaf: the payload or the salt was changed`
  }
  return undefined
}
