import type { ReadVariable } from '../../paths/path.ts'
import { SETTINGS } from './settings.ts'
import { readSwitch } from './variables.ts'

interface Operations {
  /** How long the process still answers requests after a signal to stop. */
  readonly drainMs: number
  /** The embedded database refuses writes while its disk has less free space. */
  readonly freeBytesMin: number
  /** Whether the log has a line for each decision. */
  readonly tellsDecisions: boolean
}

/** Long enough for two checks of a load balancer that checks every two seconds. */
const DRAIN_MS = Number(SETTINGS.PURSER_DRAIN_SECONDS.default) * 1_000

/** Room for the write-ahead log before a checkpoint, for a vacuum, and for writes until the next check. */
const FREE_SPACE_MIN_MB = Number(SETTINGS.PURSER_FREE_SPACE_MIN_MB.default)

/**
 * Reads the settings of the process itself. `isWatched` says that a person develops at a terminal.
 * Then there is no load balancer to wait for, and seeing decisions matters more than speed.
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

export function readCommit(read: ReadVariable, mistakes: string[]): string | undefined {
  const text = read('PURSER_COMMIT')
  if (text === undefined || /^[0-9a-f]{7,64}$/.test(text)) return text
  mistakes.push('PURSER_COMMIT must be the hash of a commit: 7 to 64 hexadecimal digits.')
  return undefined
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
