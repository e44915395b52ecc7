import { equalBytes } from '../bytes.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { Frontier } from '../frontier.ts'

/** Returns the mistake of a checkpoint that comes after all of its leaves. */
export function mistakeBehindLeaves(
  checkpoint: Checkpoint,
  frontier: Frontier,
): string | undefined {
  const size = frontier.size()
  if (checkpoint.size !== size) {
    return `the checkpoint is of ${checkpoint.size} leaves, and ${size} have come: leaves are missing, were added, or the checkpoint is another one`
  }
  if (equalBytes(checkpoint.root, frontier.root())) return undefined
  return `the ${size} leaves up to here are not those that were signed: one was changed, removed, added or moved`
}

interface Checkpoints {
  /** The checkpoint that this part of the export already has. */
  readonly last: Checkpoint | undefined
  /** The checkpoint of the previous part. */
  readonly before: Checkpoint | undefined
}

/** Returns the mistake of a checkpoint that comes before its leaves, which each have a proof. */
export function mistakeBeforeLeaves(
  checkpoint: Checkpoint,
  { last, before }: Checkpoints,
): string | undefined {
  if (last) return 'there is a second checkpoint'
  if (!before || goesOn(checkpoint, before)) return undefined
  return `this part has a checkpoint of ${checkpoint.size} leaves, and the part before one of ${before.size}: they are not of one log, or it was put back in between`
}

/** Whether it can be a later state of the same audit log, or the same state. */
function goesOn(next: Checkpoint, before: Checkpoint): boolean {
  return next.size === before.size ? equalBytes(next.root, before.root) : next.size > before.size
}
