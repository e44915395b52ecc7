import type { Decision } from './decide.ts'
import { stands } from './evaluate.ts'

/** What a hold takes room in until it is given back. */
const TAKEN_BY_HOLDS: readonly string[] = ['budget', 'limit', 'duplicate']
const NONE: readonly string[] = []

/**
 * The mandates of a spend that was rejected only for room that holds may take: without them it might
 * pass. None if nothing is held, or if something else stands in the way too.
 */
export function mandatesShortOfRoom({ decision, details, mandates }: Decision): readonly string[] {
  if (decision === 'approved' || !mandates.some(({ held }) => held > 0n)) return NONE
  const standing = details.rules.filter(stands)
  const isRoom = standing.length > 0 && standing.every(({ type }) => TAKEN_BY_HOLDS.includes(type))
  return isRoom ? mandates.map(({ policy }) => policy.mandateId) : NONE
}
