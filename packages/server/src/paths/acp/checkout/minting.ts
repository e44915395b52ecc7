import { toPublicId } from '../../../core/id.ts'
import type { Desk, FlowParts } from '../flow-parts.ts'
import type { Allowance, Issued } from '../issuers/token-issuer.ts'
import { advance, toClosing } from './advance.ts'
import { bookUnpaid } from './booking.ts'
import type { AcpCheckout, Failure, Token } from './checkout.ts'
import { advanceUnlessStopped, giveUp } from './giving-up.ts'
import { withToken } from './secrets.ts'
import type { Step, Stepped } from './steps.ts'

const TRIES_MAX = 3
const ISSUER_AWAY: Failure = { code: 'issuer_unavailable', retryable: true }
/** The time that the payer has for authentication. */
export const AUTHENTICATION_MS = 10 * 60_000

/**
 * Stores that a token is about to be created, unless the spender was stopped since the decision. If
 * no token was requested before, none exists, and the hold is released at once.
 */
export const beginMinting: Step = (parts, desk, checkout) =>
  advanceUnlessStopped(parts, desk, checkout, (locked) => ({ ...locked, state: 'minting' }))

/** Creates the token, and stores it before it leaves the gateway. */
export const mint: Step = (parts, desk, checkout) => mintAfter(parts, desk, checkout, 0)

/** Creates the token again after an earlier request without a known outcome. */
export const mintAgain: Step = (parts, desk, checkout) =>
  mintAfter(parts, desk, checkout, TRIES_MAX)

async function mintAfter(
  parts: FlowParts,
  desk: Desk,
  checkout: AcpCheckout,
  earlierTries: number,
): Promise<Stepped> {
  const { issued, tries } = await issue(desk, checkout)
  switch (issued.kind) {
    case 'issued':
      return keepToken(parts, checkout, toToken(issued))
    case 'action':
      return askPayer(parts, checkout, issued)
    case 'refused': {
      const { code, retryable } = issued
      return advance(parts, checkout, (locked, place) => {
        const failed = { ...locked, failure: { code, retryable } }
        // An earlier attempt with an unknown outcome may have created a token.
        return earlierTries + tries > 1
          ? giveUp(parts, desk, failed, failed.failure, place)
          : bookUnpaid(parts, failed, place)
      })
    }
    case 'unknown':
      // An agent that requested the token itself retries, and gets the token that was created.
      return advance(parts, checkout, (locked, place) =>
        locked.mode === 'delegated'
          ? { ...locked, state: 'unknown' }
          : giveUp(parts, desk, locked, ISSUER_AWAY, place),
      )
  }
}

function keepToken(parts: FlowParts, checkout: AcpCheckout, token: Token): Promise<Stepped> {
  return advance(parts, checkout, (locked) => ({
    ...withToken(parts, locked, token),
    state: 'minted',
  }))
}

/**
 * Stores that the payer must authenticate. The drop-in has no call for the result, so its checkout
 * closes.
 */
function askPayer(
  parts: FlowParts,
  checkout: AcpCheckout,
  { tokenId, url }: Extract<Issued, { kind: 'action' }>,
): Promise<Stepped> {
  return advance(parts, checkout, (locked, { now }) => {
    const token = { id: tokenId, credentialType: 'spt' }
    const made = withToken(parts, locked, token)
    if (locked.mode === 'delegated') {
      return toClosing(made, { code: 'requires_authentication', retryable: false })
    }
    const authentication = { metadata: null, continueUrl: url }
    const waitsUntil = now + AUTHENTICATION_MS
    return { ...made, state: 'authenticating', authentication, waitsUntil }
  })
}

/** Uses the same key each time, so that a retry creates no second token. */
async function issue(
  desk: Desk,
  checkout: AcpCheckout,
): Promise<{ readonly issued: Issued; readonly tries: number }> {
  for (let tries = 1; ; tries += 1) {
    const issued = await issueOnce(desk, checkout)
    if (issued.kind !== 'unknown' || tries === TRIES_MAX) return { issued, tries }
  }
}

export function issueOnce(
  { issuer, instrument, merchant }: Desk,
  checkout: AcpCheckout,
): Promise<Issued> {
  return issuer.issue(
    instrument,
    toAllowance(checkout, merchant.profileId),
    keyOf(checkout, 'token'),
  )
}

export function toToken({ tokenId, credentialType }: Extract<Issued, { kind: 'issued' }>): Token {
  return { id: tokenId, credentialType }
}

/** Returns the idempotency key of an outgoing call of a checkout. Retries use the same key. */
export function keyOf({ id }: AcpCheckout, call: string): string {
  return `${toPublicId('txn', id)}:${call}`
}

function toAllowance(checkout: AcpCheckout, profileId: string | null): Allowance {
  const { id, agentId, merchantId, sessionId, currency, maxMinor, tokenEndsAt } = checkout
  return {
    merchantId,
    profileId,
    sessionId,
    currency: currency.toLowerCase(),
    maxMinor,
    expiresAt: tokenEndsAt,
    metadata: { purser_decision_id: toPublicId('txn', id), purser_agent_id: agentId },
  }
}
