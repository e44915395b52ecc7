import { repeatedTransaction } from '../../../storage/engine/repeated-transaction.ts'
import type { FlowParts } from '../flow-parts.ts'
import { lockCheckout, saveCheckout } from '../storage/checkouts.ts'
import { type AcpCheckout, type Failure, isEnded } from './checkout.ts'
import type { Place } from './place.ts'
import { recordToken } from './token-record.ts'

/**
 * The lease on a checkout. If its process dies, no other process continues before the lease ends.
 */
export const LEASE_MS = 60_000

/** Returns the changed checkout, or undefined to leave it unchanged. */
export type Plan = (
  locked: AcpCheckout,
  place: Place,
) => AcpCheckout | undefined | Promise<AcpCheckout | undefined>

/**
 * Changes a checkout in one transaction, with all bookings of the plan. Returns undefined, without
 * a change, if another process has changed or claimed the checkout since it was read, or if the
 * plan changes nothing.
 */
export function advance(
  parts: Pick<FlowParts, 'db' | 'clock' | 'sealer'>,
  checkout: AcpCheckout,
  plan: Plan,
): Promise<AcpCheckout | undefined> {
  const { db, clock } = parts
  return repeatedTransaction(db, checkout.organizationId, async (tx) => {
    const [locked, now] = await Promise.all([lockCheckout(tx, checkout), clock(tx)])
    if (locked?.step !== checkout.step) return undefined
    const planned = await plan({ ...locked, nextCheckAt: now + LEASE_MS }, { tx, now })
    if (!planned) return undefined
    const after = { ...planned, ...(isEnded(planned) && ENDED), step: locked.step + 1 }
    tx.send(saveCheckout(after))
    recordToken(parts, locked, { ...after, sealed: planned.sealed }, { tx, now })
    return after
  })
}

/** Stops further checks, and removes the secrets. */
export const ENDED = { sealed: null, nextCheckAt: null, waitsUntil: null }

/**
 * Moves a checkout to `closing`: nothing will be bought, and the next steps verify that nothing
 * was.
 */
export function toClosing(
  checkout: AcpCheckout,
  failure: Failure,
  { isDenied = checkout.isDenied } = {},
): AcpCheckout {
  return { ...checkout, state: 'closing', failure, isDenied, waitsUntil: null }
}
