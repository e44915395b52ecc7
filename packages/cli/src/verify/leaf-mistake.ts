import { commitTo, hashOfLeaf, type LeafLine } from '@purser/server/verify'

/** What is wrong with a leaf by itself, whatever tree it is in. */
export function leafMistake({ index, hash, leaf, opening }: LeafLine): string | undefined {
  if (leaf && !hashOfLeaf(leaf).equals(hash)) {
    return `leaf ${index} does not have the hash that stands beside it: it was changed`
  }
  if (leaf && opening && commitTo(opening.payload, opening.salt) !== leaf.commitment) {
    return `the payload of leaf ${index} is not what the leaf commits to: payload or salt was changed`
  }
  return undefined
}
