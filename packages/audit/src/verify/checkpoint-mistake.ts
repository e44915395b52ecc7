import { equalBytes } from '../bytes.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { Frontier } from '../frontier.ts'
import { countLeaves } from './count-leaves.ts'

/** Returns the mistake of a checkpoint that comes after all of its leaves. */
export function mistakeBehindLeaves(
  checkpoint: Checkpoint,
  frontier: Frontier,
): string | undefined {
  const size = frontier.size()
  if (checkpoint.size !== size) {
    return `the checkpoint has ${countLeaves(checkpoint.size)}, but the export has ${size} up to here: leaves are missing or were added, or it is the wrong checkpoint`
  }
  if (equalBytes(checkpoint.root, frontier.root())) return undefined
  const found =
    size === 1
      ? 'only leaf up to here is not the signed one'
      : `${size} leaves up to here are not the signed ones`
  return `the ${found}: a leaf was changed, removed, added or moved`
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
  if (last) return 'this part has a second checkpoint'
  if (!before || goesOn(checkpoint, before)) return undefined
  return `this part has a checkpoint of ${countLeaves(checkpoint.size)}, but the part before has one of ${before.size}: the parts are from different logs, or the log was rolled back in between`
}

/** Whether it can be a later state of the same audit log, or the same state. */
function goesOn(next: Checkpoint, before: Checkpoint): boolean {
  return next.size === before.size ? equalBytes(next.root, before.root) : next.size > before.size
}
