import { type ExportLine, type HeaderLine, parseExportLine } from '../export-line.ts'
import { createFrontier, type Frontier, statesIn } from '../frontier.ts'
import { countLeaves } from './count-leaves.ts'
import type { Known } from './known.ts'
import { firstLeftOver, type LeftOver } from './left-over.ts'
import { type ProofAnswer, readProofAnswer } from './proof-answer.ts'
import { createRepeats, type Repeats } from './repeated-leaves.ts'
import { createSeenIndexes } from './seen-indexes.ts'
import { type State, takeLine } from './take-line.ts'
import { tellUnknownLine } from './unknown-line.ts'

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
      : `it says that the checkpoint has ${countLeaves(size)}, but it has ${signed}`
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
