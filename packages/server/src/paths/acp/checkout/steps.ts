import type { Desk, FlowParts } from '../flow-parts.ts'
import type { AcpCheckout } from './checkout.ts'

/**
 * The result of a step: the changed checkout, `wait` if nothing has changed and a later check may
 * help, or undefined if another process works on the checkout.
 */
export type Stepped = AcpCheckout | 'wait' | undefined

export type Step = (parts: FlowParts, desk: Desk, checkout: AcpCheckout) => Promise<Stepped>

/**
 * Waits this long after a token's end, because clocks differ and a last-minute charge is reported
 * late.
 */
export const END_MARGIN_MS = 10 * 60_000

/** Returns whether the token can no longer be charged, judged by time alone. */
export function isPastEnd({ tokenEndsAt }: AcpCheckout, now: number): boolean {
  return now >= tokenEndsAt + END_MARGIN_MS
}

/** Returns whether the token provider can report the state of a token, and revoke it. */
export function canBeAsked({ issuer }: Desk): boolean {
  return issuer.name !== 'delegate_payment'
}
