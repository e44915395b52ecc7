import { equalBytes } from '../bytes.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { Frontier } from '../frontier.ts'

/** What is wrong with a checkpoint that stands behind all leaves that it is about. */
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
  /** The one that this part of an export has already. */
  readonly last: Checkpoint | undefined
  /** That of the part before. */
  readonly before: Checkpoint | undefined
}

/** What is wrong with a checkpoint before leaves that are proven by it, each by itself. */
export function mistakeBeforeLeaves(
  checkpoint: Checkpoint,
  { last, before }: Checkpoints,
): string | undefined {
  if (last) return 'there is a second checkpoint'
  if (!before || goesOn(checkpoint, before)) return undefined
  return `this part has a checkpoint of ${checkpoint.size} leaves, and the part before one of ${before.size}: they are not of one log, or it was put back in between`
}

/** Whether it can be a later state of the same log, or the same one. */
function goesOn(next: Checkpoint, before: Checkpoint): boolean {
  return next.size === before.size ? equalBytes(next.root, before.root) : next.size > before.size
}
