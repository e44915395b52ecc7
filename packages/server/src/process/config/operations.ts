import type { ReadVariable } from '../../paths/path.ts'
import { readSwitch } from './variables.ts'

interface Operations {
  /** For how long requests are answered after the process was asked to stop. */
  readonly drainMs: number
  /** The embedded database takes nothing new while its disk has less than this. */
  readonly freeBytesMin: number
  /** Whether the log has a line for each decision. */
  readonly tellsDecisions: boolean
}

/** Two checks of a load balancer that asks every two seconds. */
const DRAIN_MS = 5_000

/** The log before a checkpoint, what a vacuum rewrites, and what is written until the next look. */
const FREE_SPACE_MIN_MB = 256

/**
 * What an operator sets about the process itself. `isWatched` says that a person develops with it at
 * a terminal: then nothing balances load, and the person would only wait, and wants to see what was
 * decided more than the last of its speed.
 */
export function readOperations(
  read: ReadVariable,
  isWatched: boolean,
  mistakes: string[],
): Operations {
  const drainMs = readDrain(read('PURSER_DRAIN_SECONDS'), mistakes)
  const floor = readFloor(read('PURSER_FREE_SPACE_MIN_MB'), mistakes)
  const tellsDecisions = readSwitch('PURSER_LOG_DECISIONS', read, mistakes) ?? isWatched
  return {
    drainMs: drainMs ?? (isWatched ? 0 : DRAIN_MS),
    freeBytesMin: floor * 1024 * 1024,
    tellsDecisions,
  }
}

function readDrain(text: string | undefined, mistakes: string[]): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,3}$/.test(text)) return Number(text) * 1_000
  mistakes.push('PURSER_DRAIN_SECONDS must be a number of seconds from 0 to 999.')
  return undefined
}

function readFloor(text: string | undefined, mistakes: string[]): number {
  if (text === undefined) return FREE_SPACE_MIN_MB
  if (/^\d{1,9}$/.test(text)) return Number(text)
  mistakes.push('PURSER_FREE_SPACE_MIN_MB must be a number of megabytes from 0 to 999999999.')
  return FREE_SPACE_MIN_MB
}
