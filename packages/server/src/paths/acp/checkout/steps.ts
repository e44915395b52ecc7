import type { Desk, FlowParts } from '../flow-parts.ts'
import type { AcpCheckout } from './checkout.ts'

/**
 * What a step has made of a checkout. `wait`: nothing has changed, and it is worth looking again later.
 * Undefined: somebody else works on it now.
 */
export type Stepped = AcpCheckout | 'wait' | undefined

export type Step = (parts: FlowParts, desk: Desk, checkout: AcpCheckout) => Promise<Stepped>

/** Clocks differ, and a charge of the last moment is told a little later. */
export const END_MARGIN_MS = 10 * 60_000

/** Whether nobody can charge the token any more, as far as time alone can tell. */
export function isPastEnd({ tokenEndsAt }: AcpCheckout, now: number): boolean {
  return now >= tokenEndsAt + END_MARGIN_MS
}

/** Whether the issuer can tell what became of a token, and take it back. */
export function canBeAsked({ issuer }: Desk): boolean {
  return issuer.name !== 'delegate_payment'
}
