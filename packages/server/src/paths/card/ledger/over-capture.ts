import type { CardCategory } from '../mapping/mcc.ts'
import { categoryOfMcc } from '../mapping/mcc.ts'
import type { Balances } from './balances.ts'

/** The percentages by which networks let merchants exceed the approved amount: tips, extras, damage. */
const TOLERANCES: ReadonlyMap<CardCategory, bigint> = new Map([
  ['restaurants', 20n],
  ['transport', 20n],
  ['personal_services', 20n],
  ['travel', 15n],
])

/** Whether the captured amount exceeds the tolerance for the merchant's trade. */
export function isBeyondTolerance(
  { approved, captured, isOverCaptured }: Balances,
  mcc: string | null,
): boolean {
  if (!isOverCaptured) return false
  const asked = approved.reduce((sum, { amount }) => sum + amount, 0n)
  const percent = 100n + (TOLERANCES.get(categoryOfMcc(mcc)) ?? 0n)
  return captured * 100n > asked * percent
}
