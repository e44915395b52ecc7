import type { Instant } from '../../../core/time/instant.ts'
import type { Tx } from '../../../storage/engine/database.ts'
import { repeatedTransaction } from '../../../storage/engine/repeated-transaction.ts'
import type { FlowParts } from '../flow-parts.ts'
import { lockCheckout, saveCheckout } from '../storage/checkouts.ts'
import { checkoutPurpose } from '../storage/sealed-checkouts.ts'
import { type AcpCheckout, type Failure, isEnded, type Secrets } from './checkout.ts'

/** If a process dies while it works on a checkout, nobody else does before this is over. */
export const LEASE_MS = 60_000

/** Where a change of a checkout happens: under its lock, and at this time. */
export interface Place {
  readonly tx: Tx
  readonly now: Instant
}

export type Plan = (locked: AcpCheckout, place: Place) => AcpCheckout | Promise<AcpCheckout>

/**
 * Changes a checkout in one transaction, with everything that the plan books. Undefined, without any
 * change, if somebody else has changed or claimed it since it was read.
 */
export function advance(
  { db, clock }: Pick<FlowParts, 'db' | 'clock'>,
  checkout: AcpCheckout,
  plan: Plan,
): Promise<AcpCheckout | undefined> {
  return repeatedTransaction(db, checkout.organizationId, async (tx) => {
    const [locked, now] = await Promise.all([lockCheckout(tx, checkout), clock(tx)])
    if (locked?.step !== checkout.step) return undefined
    const planned = await plan({ ...locked, nextCheckAt: now + LEASE_MS }, { tx, now })
    const after = { ...planned, ...(isEnded(planned) && ENDED), step: locked.step + 1 }
    tx.send(saveCheckout(after))
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

const NO_SECRETS: Secrets = {
  token: null,
  buyer: null,
  billingAddress: null,
  authenticationResult: null,
}

export function openSecrets({ sealer }: Pick<FlowParts, 'sealer'>, checkout: AcpCheckout): Secrets {
  const { organizationId, sealed } = checkout
  if (sealed === null) return NO_SECRETS
  return JSON.parse(sealer.open(organizationId, checkoutPurpose(checkout), sealed))
}

export function sealSecrets(
  { sealer }: Pick<FlowParts, 'sealer'>,
  checkout: Pick<AcpCheckout, 'organizationId' | 'id'>,
  secrets: Partial<Secrets>,
): Buffer {
  const text = JSON.stringify({ ...NO_SECRETS, ...secrets })
  return sealer.seal(checkout.organizationId, checkoutPurpose(checkout), text)
}
