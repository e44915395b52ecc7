import { equalBytes } from '../bytes.ts'
import { type Checkpoint, openCheckpoint } from '../checkpoint.ts'
import {
  type ExportLine,
  type HeaderLine,
  type LeafLine,
  type ProofLine,
  parseExportLine,
} from '../export-line.ts'
import { createFrontier, type Frontier, statesIn } from '../frontier.ts'
import type { NoteMistake } from '../signed-note.ts'
import type { Sha256, VerifySignature } from '../steps.ts'
import type { VerifierKey } from '../verifier-key.ts'
import { verifyConsistency, verifyInclusion } from '../verify-proof.ts'
import { mistakeBeforeLeaves, mistakeBehindLeaves } from './checkpoint-mistake.ts'
import type { KeptHeads } from './kept-heads.ts'
import { leafMistake } from './leaf-mistake.ts'
import { firstLeftOver, type LeftOver } from './left-over.ts'
import { type ProofAnswer, readProofAnswer } from './proof-answer.ts'
import type { Receipts } from './receipts.ts'
import { createRepeats, type Repeats } from './repeated-leaves.ts'
import { createSeenIndexes, type SeenIndexes } from './seen-indexes.ts'
import { tellUnknownLine } from './unknown-line.ts'

/** The caller's cryptography. */
export interface Cryptography {
  readonly sha256: Sha256
  readonly verifySignature: VerifySignature
}

/** The verifier compares the export with this. None of it comes from the export. */
export interface Known extends Cryptography {
  readonly keys: readonly VerifierKey[]
  readonly heads: KeptHeads
  readonly receipts: Receipts
}

/** The verified facts. */
export interface Findings {
  readonly log: string
  readonly content: HeaderLine['content']
  /** The index of the first leaf. */
  readonly from: number
  /** The size of the last checkpoint. */
  readonly size: number
  readonly leaves: number
  /** Leaves that have only their hash, or no payload. */
  readonly pruned: number
  readonly checkpoints: number
  /** Earlier states that the last checkpoint was proven to extend. */
  readonly proofs: number
  /** Leaves that were sealed twice. */
  readonly repeated: ReturnType<Repeats['found']>
}

export type Ending = { readonly kind: 'fits'; readonly findings: Findings } | LeftOver

export interface ExportVerifier {
  /** Returns a message if the line does not fit; then it is the first mistake. */
  take(text: string | undefined): string | undefined
  end(): Ending
  leaves(): number
}

interface State {
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

/**
 * Verifies an export line by line. It keeps the right edge of the tree but no leaves. For leaves
 * with proofs it keeps one bit each. To detect repeats, it keeps part of the hashes of the last
 * millions of leaves.
 */
export function createExportVerifier(known: Known): ExportVerifier {
  let state: State | undefined

  function takeNext(line: ExportLine): string | undefined {
    if (state) return takeLine(state, line, known)
    if (line.type !== 'header') return 'an export begins with its header: the beginning is missing'
    const begun = begin(line, known)
    if (typeof begun === 'string') return begun
    state = begun
    return undefined
  }

  function takeAnswer({ lines, size }: ProofAnswer): string | undefined {
    for (const line of lines) {
      const mistake = takeNext(line)
      if (mistake !== undefined) return mistake
    }
    // The answer has only the hash of a leaf. Its content was left out, not removed.
    if (state) state.pruned = 0
    const signed = state?.last?.size
    return size === signed
      ? undefined
      : `it says that the checkpoint has ${size} leaves, but it has ${signed}`
  }

  return {
    take(text) {
      const line = text === undefined ? undefined : parseExportLine(text)
      if (line) return takeNext(line)
      const isFirst = state === undefined
      const answer = text !== undefined && isFirst ? readProofAnswer(text) : undefined
      return answer ? takeAnswer(answer) : tellUnknownLine(text)
    },
    end: () => (state ? finish(state, known) : mismatch('the export is empty')),
    leaves: () => state?.leaves ?? 0,
  }
}

function begin(header: HeaderLine, known: Known): State | string {
  const { keys, heads, receipts, sha256 } = known
  const { log, content, from } = header
  if (!keys.some(({ name }) => name === log)) {
    return `the export says that it is of the log ${log}, but you passed no key for that log`
  }
  const frontier = createFrontier(sha256, from, header.frontier)
  if (!frontier || (content === 'proofs' && from > 0)) return 'the header contradicts itself'
  const otherLog = receipts.firstOfOtherLog(log)
  if (otherLog !== undefined) return `the receipt in ${otherLog} is of a different log than ${log}`
  const mistake = heads.ofOtherLog(log) ?? heads.fork() ?? compareEarlier(frontier, known)
  if (mistake !== undefined) return mistake
  const counts = { leaves: 0, pruned: 0, checkpoints: 0, proofs: 0 }
  const seen = createSeenIndexes()
  const repeats = createRepeats()
  return {
    header,
    frontier,
    seen,
    repeats,
    ...counts,
    last: undefined,
    before: undefined,
    isClosing: false,
  }
}

/** A header shows several earlier states of the audit log, and a kept head may be one of them. */
function compareEarlier(frontier: Frontier, { heads, sha256 }: Known): string | undefined {
  for (const { size, root } of statesIn(frontier, sha256)) {
    const mistake = heads.compare(size, root)
    if (mistake !== undefined) return mistake
  }
  return undefined
}

function takeLine(state: State, line: ExportLine, known: Known): string | undefined {
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
    return `the log does not extend this state of ${size} leaves: its proof fails`
  }
  state.proofs += 1
  return known.heads.compare(size, () => root)
}

function finish(state: State, { heads, receipts }: Known): Ending {
  const { header, frontier, last, leaves, pruned, checkpoints, proofs, repeats } = state
  const { log, content, from } = header
  if (!last || (content === 'leaves' && last.size !== frontier.size())) {
    return mismatch(
      'the export ends without a checkpoint of its last leaf: the end was cut off, or is not signed',
    )
  }
  const compared = { content, from, size: last.size }
  const leftOver = firstLeftOver([heads.missing(compared), receipts.missing(compared)])
  return (
    leftOver ?? {
      kind: 'fits',
      findings: {
        ...{ log, ...compared, leaves, pruned, checkpoints, proofs },
        repeated: repeats.found(),
      },
    }
  )
}

const mismatch = (text: string): LeftOver => ({ kind: 'mismatch', text })
