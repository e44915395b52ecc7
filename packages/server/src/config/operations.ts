import type { ReadVariable } from '../paths/path.ts'

interface Operations {
  /** For how long requests are answered after the process was asked to stop. */
  readonly drainMs: number
}

/** Two checks of a load balancer that asks every two seconds. */
const DRAIN_MS = 5_000

/**
 * What an operator sets about the process itself. `isWatched` says that a person develops with it at
 * a terminal: then nothing balances load, and the person would only wait.
 */
export function readOperations(
  read: ReadVariable,
  isWatched: boolean,
  mistakes: string[],
): Operations {
  return {
    drainMs: readDrain(read('PURSER_DRAIN_SECONDS'), mistakes) ?? (isWatched ? 0 : DRAIN_MS),
  }
}

function readDrain(text: string | undefined, mistakes: string[]): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,3}$/.test(text)) return Number(text) * 1_000
  mistakes.push('PURSER_DRAIN_SECONDS must be a number of seconds from 0 to 999.')
  return undefined
}
