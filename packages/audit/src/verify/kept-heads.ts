import { equalBytes } from '../bytes.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { Hash } from '../hash.ts'
import { countLeaves } from './count-leaves.ts'
import { type ComparedExport, firstLeftOver, type LeftOver } from './left-over.ts'

/** A signed head that the user kept outside of the gateway. */
export interface KeptHead {
  /** The file that contains it. */
  readonly file: string
  readonly checkpoint: Checkpoint
}

export interface KeptHeads {
  readonly count: number
  /**
   * Compares the heads of this size with the root of the audit log at that size. It computes the
   * root only if there is such a head.
   */
  compare(size: number, root: () => Hash): string | undefined
  /** The first head that was compared with nothing. */
  missing(compared: ComparedExport): LeftOver | undefined
  ofOtherLog(log: string): string | undefined
  /** Reports two different heads of the same size: they prove a fork, whatever the export contains. */
  fork(): string | undefined
}

export function createKeptHeads(heads: readonly KeptHead[]): KeptHeads {
  const waiting = new Set(heads)
  const sizes = new Set(heads.map(({ checkpoint }) => checkpoint.size))
  return {
    count: heads.length,
    compare(size, root) {
      if (!sizes.has(size)) return undefined
      const same = heads.filter(({ checkpoint }) => checkpoint.size === size)
      const other = same.find(({ checkpoint }) => !equalBytes(checkpoint.root, root()))
      for (const head of same) waiting.delete(head)
      return other && tellOther(other)
    },
    missing(compared) {
      return firstLeftOver([...waiting].map((head) => toLeftOver(head, compared)))
    },
    ofOtherLog(log) {
      const other = heads.find(({ checkpoint }) => checkpoint.origin !== log)
      return other && `${other.file} is a head of the log ${other.checkpoint.origin}, not of ${log}`
    },
    fork() {
      const first = new Map<number, KeptHead>()
      for (const head of heads) {
        const before = first.get(head.checkpoint.size) ?? head
        if (!equalBytes(before.checkpoint.root, head.checkpoint.root)) return tellFork(before, head)
        first.set(head.checkpoint.size, before)
      }
      return undefined
    },
  }
}

function tellOther({ file, checkpoint }: KeptHead): string {
  const { size } = checkpoint
  const found = size === 1 ? 'first leaf is not that' : `first ${size} leaves are not those`
  return `the ${found} of the head in ${file}: the log was changed after that head was signed`
}

function tellFork({ file, checkpoint }: KeptHead, other: KeptHead): string {
  return `the heads in ${file} and ${other.file} both have ${countLeaves(checkpoint.size)}, but not the same: two logs were signed under one name`
}

function toLeftOver(head: KeptHead, { content, from, size }: ComparedExport): LeftOver {
  const { file, checkpoint } = head
  if (checkpoint.size > size) {
    const text = `the log has ${countLeaves(size)}, but had ${checkpoint.size} when the head in ${file} was signed: if the export is older than the head, export again; otherwise the log was rolled back to an earlier state, or its end was removed`
    return { kind: 'mismatch', text }
  }
  const reason =
    content === 'proofs'
      ? 'an export of single leaves does not show earlier states of the log'
      : `the export begins with leaf ${from}`
  const text = `the head in ${file} has ${countLeaves(checkpoint.size)}, but ${reason}: use an export that begins with leaf ${checkpoint.size} or earlier, or the response of GET /audit-log/proof?from=${checkpoint.size}`
  return { kind: 'incomparable', text }
}
