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
/** How long the payer has to prove something. */
export const AUTHENTICATION_MS = 10 * 60_000

/**
 * Says that a token is about to be made, unless the spender was stopped since the decision. Where none
 * was asked for yet there is none, and the hold is given back at once.
 */
export const beginMinting: Step = (parts, desk, checkout) =>
  advanceUnlessStopped(parts, desk, checkout, (locked) => ({ ...locked, state: 'minting' }))

/** Has the token made, and stores it before anybody gets it. */
export const mint: Step = (parts, desk, checkout) => mintAfter(parts, desk, checkout, 0)

/** The same for one that was asked for before, of which nothing is known. */
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
        // An earlier try of which nothing is known may have made one.
        return earlierTries + tries > 1
          ? giveUp(parts, desk, failed, failed.failure, place)
          : bookUnpaid(parts, failed, place)
      })
    }
    case 'unknown':
      // An agent that waits for the token itself asks again, and gets the one that was made.
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

/** An agent that holds the token itself has nobody to hand the proof to. */
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

/** The same key each time, so that a repeat makes no second token. */
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

/** Names one call of a checkout to somebody else, the same each time it is repeated. */
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
