import { repeatedTransaction } from '../../../storage/engine/repeated-transaction.ts'
import type { FlowParts } from '../flow-parts.ts'
import { lockCheckout, saveCheckout } from '../storage/checkouts.ts'
import { type AcpCheckout, type Failure, isEnded } from './checkout.ts'
import type { Place } from './place.ts'
import { recordToken } from './token-record.ts'

/** If a process dies while it works on a checkout, nobody else does before this is over. */
export const LEASE_MS = 60_000

/** What becomes of a checkout; undefined where it stays as it is. */
export type Plan = (
  locked: AcpCheckout,
  place: Place,
) => AcpCheckout | undefined | Promise<AcpCheckout | undefined>

/**
 * Changes a checkout in one transaction, with everything that the plan books. Undefined, without any
 * change, if somebody else has changed or claimed it since it was read, or if the plan changes nothing.
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

/** Nobody looks at it again, and nothing secret is kept. */
export const ENDED = { sealed: null, nextCheckAt: null, waitsUntil: null }

/** From here on nothing is bought, and it is made certain that nothing was. */
export function toClosing(
  checkout: AcpCheckout,
  failure: Failure,
  { isDenied = checkout.isDenied } = {},
): AcpCheckout {
  return { ...checkout, state: 'closing', failure, isDenied, waitsUntil: null }
}
