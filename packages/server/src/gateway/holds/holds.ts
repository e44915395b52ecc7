import assert from 'node:assert/strict'
import { Problem } from '../../base/errors.ts'
import { reach, targetOf } from '../../core/decision/target.ts'
import { type Micros, toUnits } from '../../core/money.ts'
import type { Instant } from '../../core/time/instant.ts'
import {
  endsByItself,
  type Transaction,
  type TransactionFlag,
  transactionStatusAt,
} from '../../core/transaction.ts'
import { changeTransaction, type OnePlace, type Plan } from './change-transactions.ts'

export interface Settlement {
  /** Undefined settles the full held amount. */
  readonly amount: Micros | undefined
  /**
   * Whether the caller is trusted to book money that moved after the hold had expired. An agent's
   * own key is not trusted: it could spend beyond its budget by letting holds expire.
   */
  readonly afterExpiry: boolean
  readonly by: Ender
}

/**
 * Which side ends a hold. Only its path can end a hold that waits for proof, whatever a caller
 * says.
 */
export type Ender = 'caller' | 'path'

/** Settles a hold with the amount that was charged; the rest of the hold is released. */
export function settleHold(place: OnePlace, settlement: Settlement) {
  return changeTransaction(place, planSettlement(settlement))
}

export function planSettlement({ amount, afterExpiry, by }: Settlement): Plan {
  return (transaction, now) => {
    requireEnder(transaction, by)
    requireSettleable(transaction, afterExpiry, now)
    const { createdAt, status, settledAmount } = transaction
    const held = status === 'expired' ? transaction.amount : transaction.heldAmount
    const actual = amount ?? held
    if (actual > held) {
      throw new Problem(
        'amount_above_hold',
        `The hold is for ${toUnits(held)}. Evaluate any amount charged beyond it as a separate spend.`,
        { extra: { heldAmount: toUnits(held) } },
      )
    }
    if (status !== 'expired') return settleOpen(transaction, actual, now)
    // The expiry released the budget, but the money has moved. So it is booked as spent again at
    // the instant of its approval, whether or not the budget still has room for it. The expiry also
    // removed it from the limits, so they count it again.
    const flags = flagged(transaction, 'late_capture')
    const target = { ...targetOf(transaction), captured: settledAmount + actual, flags }
    return reach(transaction, target, createdAt, now)
  }
}

/** Books the charged amount of an open hold, and releases the rest. */
export function settleOpen(
  hold: Transaction,
  actual: Micros,
  now: Instant,
  flag?: TransactionFlag,
): Transaction | undefined {
  const captured = hold.settledAmount + actual
  const flags = flagged(hold, flag)
  return reach(hold, { ...targetOf(hold), held: 0n, captured, flags }, now)
}

/** Releases a hold because no money moved: the caller says so, or the path has proof. */
export function voidHold(place: OnePlace, by: Ender) {
  return changeTransaction(place, planVoid(by))
}

export function planVoid(by: Ender): Plan {
  return (transaction, now) => {
    requireEnder(transaction, by)
    requireStatus(transaction, ['held'], now, 'void')
    return giveBack(transaction, 'voided', now)
  }
}

/**
 * Raises a hold beyond the requested amount, because a provider reports that it has reserved more.
 * There is no decision about it: it is booked, even beyond the budget, and gets a flag.
 */
export function raiseHold(place: OnePlace, amount: Micros) {
  return changeTransaction(place, planRaise(amount))
}

export function planRaise(amount: Micros): Plan {
  assert(amount > 0n, 'a hold is raised by more than 0')
  return (transaction, now) => {
    requireStatus(transaction, ['held'], now, 'raise')
    const held = transaction.heldAmount + amount
    const flags = flagged(transaction, 'raised')
    return reach(transaction, { ...targetOf(transaction), held, flags }, now)
  }
}

/**
 * Releases the rest of the hold. If a part was captured, the spend was made, so its status is
 * settled.
 */
export function giveBack(
  hold: Transaction,
  end: 'voided' | 'expired',
  now: Instant,
  flag?: TransactionFlag,
): Transaction | undefined {
  return reach(hold, { ...targetOf(hold), held: 0n, end, flags: flagged(hold, flag) }, now)
}

export function flagged(
  { flags }: Transaction,
  flag: TransactionFlag | undefined,
): readonly TransactionFlag[] {
  return flag === undefined || flags.includes(flag) ? flags : [...flags, flag]
}

function requireEnder(transaction: Transaction, by: Ender): void {
  if (by === 'path' || transaction.status !== 'held' || endsByItself(transaction)) return
  throw new Problem(
    'transaction_state',
    `The gateway ends this hold when the path ${transaction.path} reports the outcome of the payment. To end it by hand, void it with a reason or settle it with a proof, with a key that is not bound to agents.`,
    { extra: { transactionStatus: 'held', allowed: [] } },
  )
}

/** An agent can settle only before the expiry. Its organization can book a later charge. */
function requireSettleable(transaction: Transaction, afterExpiry: boolean, now: Instant): void {
  if (!afterExpiry && transactionStatusAt(transaction, now) === 'expired') {
    throw new Problem(
      'transaction_state',
      'The hold has expired, so this key can no longer settle it. If money has moved, settle it with a key that is not bound to agents.',
      { extra: { transactionStatus: 'expired', allowed: ['held'] } },
    )
  }
  requireStatus(transaction, afterExpiry ? ['held', 'expired'] : ['held'], now, 'settle')
}

export function requireStatus(
  transaction: Transaction,
  allowed: readonly string[],
  now: Instant,
  action: string,
): void {
  const status = transactionStatusAt(transaction, now)
  if (allowed.includes(status)) return
  throw new Problem(
    'transaction_state',
    `You cannot ${action} the transaction: it is ${status}. It must be ${allowed.join(' or ')}.`,
    { extra: { transactionStatus: status, allowed } },
  )
}
