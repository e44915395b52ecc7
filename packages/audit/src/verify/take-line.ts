import { equalBytes } from '../bytes.ts'
import { type Checkpoint, openCheckpoint } from '../checkpoint.ts'
import type { ExportLine, HeaderLine, LeafLine, ProofLine } from '../export-line.ts'
import type { Frontier } from '../frontier.ts'
import type { NoteMistake } from '../signed-note.ts'
import type { Sha256 } from '../steps.ts'
import { verifyConsistency, verifyInclusion } from '../verify-proof.ts'
import { mistakeBeforeLeaves, mistakeBehindLeaves } from './checkpoint-mistake.ts'
import { countLeaves } from './count-leaves.ts'
import type { KeptHeads } from './kept-heads.ts'
import type { Known } from './known.ts'
import { leafMistake } from './leaf-mistake.ts'
import type { Repeats } from './repeated-leaves.ts'
import type { SeenIndexes } from './seen-indexes.ts'

/** The data that the verifier keeps of earlier lines. */
export interface State {
  readonly header: HeaderLine
  readonly frontier: Frontier
  /** Tracks leaves with proofs, which come in any order. */
  readonly seen: SeenIndexes
  readonly repeats: Repeats
  leaves: number
  pruned: number
  checkpoints: number
  proofs: number
  last: Checkpoint | undefined
  /**
   * The checkpoint of the previous part, if an export of leaves with proofs was interrupted and
   * resumed.
   */
  before: Checkpoint | undefined
  /** Proofs are about the last checkpoint, so no line that leads to a new one may follow. */
  isClosing: boolean
}

const NOTE_MISTAKES: Readonly<Record<NoteMistake, string>> = {
  malformed: 'does not have the format of a checkpoint',
  unknown_key: 'is signed by none of the keys that you passed for this log',
  bad_signature: 'has an invalid signature: it was changed, or signed with a different key',
}

/** Verifies a line after the first header, and adds it to the state. Returns the mistake in it. */
export function takeLine(state: State, line: ExportLine, known: Known): string | undefined {
  switch (line.type) {
    case 'header':
      return takeHeader(state, line)
    case 'leaf':
      return takeLeaf(state, line, known)
    case 'checkpoint':
      return takeCheckpoint(state, line.note, known)
    case 'proof':
      return takeProof(state, line, known)
  }
}

/**
 * Handles an export that was interrupted and resumed. The second part must begin where the first
 * ended. Parts with proofs have a checkpoint of their own.
 */
function takeHeader(state: State, next: HeaderLine): string | undefined {
  const { header } = state
  const isSame = next.log === header.log && next.content === header.content
  if (!isSame || (next.content === 'proofs' && next.from > 0)) {
    return 'the export continues with the header of a different export'
  }
  if (next.content === 'leaves') return notGoingOn(state, next)
  state.before = state.last
  state.last = undefined
  return undefined
}

function notGoingOn(state: State, { from, frontier: nodes }: HeaderLine): string | undefined {
  const expected = state.frontier.size()
  if (from !== expected) {
    return `the export continues with leaf ${from}, but leaf ${expected} is next: resume it with cursor=${expected}`
  }
  const known = state.frontier.nodes()
  const isSame =
    nodes.length === known.length &&
    known.every((node, at) => equalBytes(node, nodes[at] ?? new Uint8Array()))
  return isSame && !state.isClosing
    ? undefined
    : 'the export continues with a header that does not match the leaves before it'
}

function takeLeaf(state: State, line: LeafLine, known: Known): string | undefined {
  const mistake =
    leafMistake(line, known.sha256) ??
    (state.header.content === 'leaves'
      ? appendLeaf(state, line, known.heads)
      : provenLeafMistake(state, line, known.sha256))
  if (mistake !== undefined) return mistake
  state.leaves += 1
  state.repeats.add(line.index, line.hash)
  if (!line.opening) state.pruned += 1
  const receipt = known.receipts.find(line.hash, line.opening?.salt)
  return receipt === undefined
    ? undefined
    : `leaf ${line.index} has a different salt than the receipt in ${receipt}: one of them was changed`
}

function appendLeaf(state: State, line: LeafLine, heads: KeptHeads): string | undefined {
  const { frontier } = state
  const expected = frontier.size()
  if (state.isClosing || line.proof)
    return `leaf ${line.index} must not be here: it comes after proofs, or it has a proof of its own`
  if (line.index > expected) {
    return `leaf ${expected} is missing: leaf ${line.index} is in its place`
  }
  if (line.index < expected) return `leaf ${line.index} is repeated or out of order`
  frontier.append(line.hash)
  return heads.compare(frontier.size(), frontier.root)
}

function provenLeafMistake(
  state: State,
  { index, hash, proof }: LeafLine,
  sha256: Sha256,
): string | undefined {
  const { last, seen } = state
  if (!last || !proof) return `leaf ${index} has no proof, or comes before the checkpoint`
  const { size, root } = last
  const claim = { leafHash: hash, index, size, root, hashes: proof }
  if (!verifyInclusion(claim, sha256))
    return `leaf ${index} is not in the log at this index: its proof fails`
  return seen.add(index) ? undefined : `leaf ${index} is repeated`
}

function takeCheckpoint(state: State, note: string, known: Known): string | undefined {
  const { header, frontier, isClosing } = state
  const checkpoint = openCheckpoint(note, known.keys, known.verifySignature)
  if (typeof checkpoint === 'string') return `the checkpoint ${NOTE_MISTAKES[checkpoint]}`
  const mistake =
    checkpoint.origin === header.log
      ? undefined
      : `the checkpoint is of a different log: ${checkpoint.origin}`
  if (mistake !== undefined || isClosing) return mistake ?? 'a checkpoint comes after proofs'
  const misplaced =
    header.content === 'leaves'
      ? mistakeBehindLeaves(checkpoint, frontier)
      : mistakeBeforeLeaves(checkpoint, state)
  if (misplaced !== undefined) return misplaced
  state.last = checkpoint
  state.checkpoints += 1
  return known.heads.compare(checkpoint.size, () => checkpoint.root)
}

function takeProof(state: State, { size, root, hashes }: ProofLine, known: Known) {
  const { header, frontier, last } = state
  if (!last || (header.content === 'leaves' && last.size !== frontier.size())) {
    return 'a proof comes before its checkpoint'
  }
  state.isClosing = header.content === 'leaves'
  const claim = { first: size, firstRoot: root, second: last.size, secondRoot: last.root, hashes }
  if (!verifyConsistency(claim, known.sha256)) {
    return `the log does not extend this state of ${countLeaves(size)}: its proof fails`
  }
  state.proofs += 1
  return known.heads.compare(size, () => root)
}
