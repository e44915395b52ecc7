import { smaller } from '../../../core/bigint.ts'
import type { Target } from '../../../core/decision/target.ts'
import type { Micros } from '../../../core/money.ts'
import type { TransactionFlag } from '../../../core/transaction.ts'
import type { Balances } from './balances.ts'

interface Carrier {
  readonly transactionId: string
  readonly amount: Micros
  readonly isRecorded: boolean
  /** No rule judged it: it was recorded, or approved while judging took too long. */
  readonly isUngoverned: boolean
}

/**
 * Spreads the sums of an authorization over its transactions, oldest first: captures, then held
 * amounts, then refunds. The last transaction takes the excess: the recorded one if there was no
 * request, else the last approved one. So the result does not depend on which transaction an event
 * happened to be about. `flags` are those of the whole authorization.
 */
export function targetsOf(
  balances: Balances,
  recordedId: string | null,
  flags: readonly TransactionFlag[],
): ReadonlyMap<string, Target> {
  const carriers = carriersOf(balances, recordedId)
  const captures = spread(balances.captured, carriers, ({ amount }) => amount)
  const holds = spread(balances.held, carriers, ({ amount }, at) => amount - (captures[at] ?? 0n))
  const refunds = spread(balances.refunded, carriers, (_carrier, at) => captures[at] ?? 0n)
  return new Map(
    carriers.map((carrier, at) => {
      const captured = captures[at] ?? 0n
      const isLast = at === carriers.length - 1
      const own = ownFlags(balances, carrier, isLast, captured)
      const sums = { held: holds[at] ?? 0n, captured, refunded: refunds[at] ?? 0n }
      const target = { ...sums, end: balances.end, flags: [...flags, ...own] }
      const isNamed = carrier.isRecorded && carrier.amount > 0n
      return [carrier.transactionId, isNamed ? { ...target, amount: carrier.amount } : target]
    }),
  )
}

/**
 * A recorded transaction stays even if a request for the money turns up later; it is then empty. The
 * last carrier takes the excess, so an empty recorded transaction is placed first.
 */
function carriersOf(
  { approved, ungoverned }: Balances,
  recordedId: string | null,
): readonly Carrier[] {
  const asked = approved.map(({ transactionId, amount, isUnjudged }) => ({
    transactionId,
    amount,
    isRecorded: false,
    isUngoverned: isUnjudged === true,
  }))
  if (recordedId === null) return asked
  const unasked = { isRecorded: true, isUngoverned: true }
  const recorded = { transactionId: recordedId, amount: ungoverned, ...unasked }
  return ungoverned === 0n ? [recorded, ...asked] : [...asked, recorded]
}

function ownFlags(
  { isRaised, isOverCaptured, isCapturedLate, isEndedByHand, foreign }: Balances,
  { isUngoverned, amount }: Carrier,
  isLast: boolean,
  captured: Micros,
): readonly TransactionFlag[] {
  return [
    ...(isUngoverned ? (['ungoverned'] as const) : []),
    ...(isLast && isRaised ? (['raised'] as const) : []),
    ...(isLast && isOverCaptured ? (['over_capture'] as const) : []),
    ...(isCapturedLate && captured > 0n ? (['late_capture'] as const) : []),
    ...(foreign.length > 0 ? (['other_currency'] as const) : []),
    ...(isEndedByHand && captured < amount ? (['ended_by_hand'] as const) : []),
  ]
}

/** Each carrier takes as much as it has room for, which is never negative; the last one takes the rest. */
function spread(
  amount: Micros,
  carriers: readonly Carrier[],
  roomOf: (carrier: Carrier, at: number) => Micros,
): readonly Micros[] {
  let left = amount
  return carriers.map((carrier, at) => {
    const isLast = at === carriers.length - 1
    const taken = isLast ? left : smaller(left, roomOf(carrier, at))
    left -= taken
    return taken
  })
}
