import type { Spend } from '../spend.ts'
import type { Decision } from './decide.ts'
import { stands } from './evaluate.ts'

/** What a hold takes room in until it is given back. */
const TAKEN_BY_HOLDS: readonly string[] = ['budget', 'limit', 'duplicate']
const NONE: readonly string[] = []

/**
 * The mandates of a spend that was rejected only for room that holds may take, or approved in part:
 * without them it might pass as it was asked for. None if nothing is held, or if something else stands
 * in the way too.
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
