import { larger, smaller } from '../../../core/bigint.ts'
import type { Target } from '../../../core/decision/target.ts'
import { fromMinor } from '../../../core/minor-unit.ts'
import type { Micros } from '../../../core/money.ts'
import type { Transaction, TransactionFlag } from '../../../core/transaction.ts'
import { returnPermit } from '../../../storage/approvals/permits.ts'
import type { FlowParts } from '../flow-parts.ts'
import type { SessionOrder } from '../versions/version.ts'
import type { AcpCheckout } from './checkout.ts'
import type { Place } from './place.ts'

type BookingParts = Pick<FlowParts, 'gateway'>

/** Returns the amount that was judged and held. */
export function heldOf({ maxMinor, currency }: Pick<AcpCheckout, 'maxMinor' | 'currency'>): Micros {
  return requireMoney(maxMinor, currency)
}

/** Converts an amount in minor units from a row or a token provider. */
export function requireMoney(minor: number, currency: string): Micros {
  const amount = fromMinor(minor, currency)
  if (amount === undefined) throw new Error('An amount of a checkout is out of range.')
  return amount
}

interface Paid {
  readonly paid: Micros
  readonly order?: SessionOrder | null
  /** The amount that can still be charged to the token. */
  readonly rest?: Micros
  readonly flags?: readonly TransactionFlag[]
}

/**
 * Books the payment, and releases the amount that cannot be charged. Money that moved is always
 * booked.
 */
export async function bookPaid(
  parts: BookingParts,
  checkout: AcpCheckout,
  place: Place,
  { paid, order, rest = 0n, flags }: Paid,
): Promise<AcpCheckout> {
  const known = { ...checkout, failure: null, order: order ?? checkout.order }
  return book(parts, known, place, ({ settledAmount }) => ({
    captured: larger(paid, settledAmount),
    held: rest,
    flags,
  }))
}

const NOTHING = { captured: 0n, held: 0n }

/**
 * Releases the hold, because no money moved for certain. An approval was not used up then, and can
 * be used until its original end.
 */
export async function bookUnpaid(
  parts: BookingParts,
  checkout: AcpCheckout,
  place: Place,
): Promise<AcpCheckout> {
  const { organizationId, id } = checkout
  let approvalId: string | null = null
  const booked = await book(parts, checkout, place, (transaction) => {
    approvalId = transaction.approvalId
    return NOTHING
  })
  if (approvalId !== null) place.tx.send(returnPermit(organizationId, approvalId, id))
  return { ...booked, state: 'released' }
}

/** Flags the transaction. No money moves. */
export function bookFlag(
  parts: BookingParts,
  checkout: AcpCheckout,
  place: Place,
  flag: TransactionFlag,
): Promise<AcpCheckout> {
  return book(parts, checkout, place, (transaction) => ({
    ...moneyOf(transaction),
    flags: [flag],
  }))
}

/** Books the refunds from the adjustments of orders. */
export function bookRefunds(
  parts: BookingParts,
  checkout: AcpCheckout,
  place: Place,
): Promise<AcpCheckout> {
  return book(parts, checkout, place, moneyOf)
}

interface Booking {
  readonly captured: Micros
  readonly held: Micros
  readonly flags?: readonly TransactionFlag[] | undefined
}

function moneyOf({ settledAmount, heldAmount }: Transaction): Booking {
  return { captured: settledAmount, held: heldAmount }
}

/** Updates the transaction to the known amounts. */
async function book(
  { gateway }: BookingParts,
  checkout: AcpCheckout,
  { tx }: Place,
  plan: (transaction: Transaction) => Booking,
): Promise<AcpCheckout> {
  const { organizationId, id } = checkout
  let refunded = checkout.refunded
  const target = (transaction: Transaction): Target => {
    const booked = bookedAs(checkout, transaction, plan(transaction))
    refunded = booked.reported
    return booked.target
  }
  await gateway.adjust({ tx, organizationId }, new Map([[id, target]]))
  return { ...checkout, refunded }
}

/**
 * Keeps refunds that the organization booked by hand, in addition to refunds from order
 * adjustments. Their sum never exceeds the payment. `reported` is the part of the adjustments.
 */
export function bookedAs(
  checkout: Pick<AcpCheckout, 'refunds' | 'refunded' | 'maxMinor' | 'currency'>,
  transaction: Transaction,
  { captured, held, flags: noted = [] }: Booking,
): { readonly target: Target; readonly reported: Micros } {
  const byHand = transaction.refundedAmount - checkout.refunded
  const told = byHand + sumOf(checkout.refunds)
  const refunded = smaller(captured, told)
  const flags = flagsOf(transaction, noted, {
    over_capture: captured > heldOf(checkout),
    over_refund: told > captured,
  })
  return {
    target: { held, captured, refunded, end: 'voided', flags },
    reported: refunded - smaller(captured, byHand),
  }
}

/** Sets `over_refund` by the latest report of each refund, and keeps all other flags. */
function flagsOf(
  { flags }: Transaction,
  noted: readonly TransactionFlag[],
  is: Readonly<Record<'over_capture' | 'over_refund', boolean>>,
): readonly TransactionFlag[] {
  const kept = flags.filter((flag) => flag !== 'over_refund')
  const more: readonly TransactionFlag[] = [
    ...(is.over_capture ? (['over_capture'] as const) : []),
    ...(is.over_refund ? (['over_refund'] as const) : []),
  ]
  return [...new Set([...kept, ...noted, ...more])]
}

function sumOf(refunds: AcpCheckout['refunds']): Micros {
  return Object.values(refunds).reduce((sum, amount) => sum + BigInt(amount), 0n)
}
