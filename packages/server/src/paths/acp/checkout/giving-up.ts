import { lockSpenderState, type SpenderState } from '../../../storage/spending-stops.ts'
import type { Desk, FlowParts } from '../flow-parts.ts'
import { advance, type Plan, toClosing } from './advance.ts'
import { bookUnpaid } from './booking.ts'
import { type AcpCheckout, type Failure, hasLeft } from './checkout.ts'
import type { Place } from './place.ts'
import { canBeAsked } from './steps.ts'

/**
 * Abandons a checkout. A token that never left the gateway cannot be charged, so it holds nothing:
 * if its provider cannot revoke it, the checkout ends here. Otherwise `closing` revokes the token
 * and verifies that nothing was bought.
 */
export function giveUp(
  parts: Pick<FlowParts, 'gateway'>,
  desk: Desk,
  checkout: AcpCheckout,
  failure: Failure,
  place: Place,
): AcpCheckout | Promise<AcpCheckout> {
  const isAtStake = hasLeft(checkout) || (checkout.state !== 'held' && canBeAsked(desk))
  if (isAtStake) return toClosing(checkout, failure)
  return bookUnpaid(parts, { ...checkout, failure }, place)
}

/**
 * Makes a change after which money can move (ADR 40). A concurrent freeze, pause or revocation
 * waits for its commit, or commits first: then the checkout is abandoned instead. That is a second
 * transaction, because it locks the mandates to change them: two checkouts of one mandate that both
 * hold a shared lock would deadlock.
 */
export async function advanceUnlessStopped(
  parts: Pick<FlowParts, 'db' | 'clock' | 'gateway' | 'sealer'>,
  desk: Desk,
  checkout: AcpCheckout,
  plan: Plan,
): Promise<AcpCheckout | undefined> {
  let stop: string | undefined
  const after = await advance(parts, checkout, async (locked, place) => {
    stop = stopCodeOf(await lockSpenderState(place.tx, locked), locked)
    return stop === undefined ? plan(locked, place) : undefined
  })
  if (stop === undefined) return after
  const failure = { code: stop, retryable: false }
  return advance(parts, checkout, (locked, place) => giveUp(parts, desk, locked, failure, place))
}

/** Returns the code of the reason why a spender may not spend now, or undefined. */
function stopCodeOf(
  state: SpenderState,
  { askedBy }: Pick<AcpCheckout, 'askedBy'>,
): string | undefined {
  if (state.isFrozen) return 'organization_frozen'
  if (state.agentStatus !== 'active') return 'agent_paused'
  if (state.mandateStatuses.some((status) => status === 'revoked')) return 'mandate_revoked'
  if (state.isAskerLive) return undefined
  return askedBy.kind === 'member' ? 'member_removed' : 'api_key_revoked'
}
