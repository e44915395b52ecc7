import type { Spend } from '../spend.ts'
import type { Decision } from './decide.ts'
import { stands } from './evaluate.ts'

/** The types of rules whose room a hold takes until it is released. */
const TAKEN_BY_HOLDS: readonly string[] = ['budget', 'limit', 'duplicate']
const NONE: readonly string[] = []

/**
 * The ids of the mandates of a spend that was rejected, or approved only in part, solely because of
 * room that holds may take: without these holds, the whole spend might pass. Empty if nothing is
 * held, or if anything else rejects the spend too.
 */
export function mandatesShortOfRoom(decided: Decision, asked: Spend): readonly string[] {
  const { decision, details, mandates } = decided
  const isWhole = decision === 'approved' && decided.spend.amount === asked.amount
  if (isWhole || !mandates.some(({ held }) => held > 0n)) return NONE
  const standing = details.rules.filter(stands)
  const isRoom = standing.every(({ type }) => TAKEN_BY_HOLDS.includes(type))
  const isShort = isRoom && (decision === 'approved' || standing.length > 0)
  return isShort ? mandates.map(({ policy }) => policy.mandateId) : NONE
}
