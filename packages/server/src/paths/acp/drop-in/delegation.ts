import { Problem } from '../../../base/errors.ts'
import { toPublicId } from '../../../core/id.ts'
import { keyInFlight } from '../../../core/idempotency.ts'
import type { Decided } from '../../../gateway/submission.ts'
import type { BuyParts } from '../checkout/buy.ts'
import { carryOut } from '../checkout/carry-out.ts'
import { type AcpCheckout, hasLeft } from '../checkout/checkout.ts'
import { advanceUnlessStopped } from '../checkout/giving-up.ts'
import { judge, type Prepared, unlessDecided } from '../checkout/judge.ts'
import { lookAt } from '../checkout/merchant-calls.ts'
import { beginMinting, mint, mintAgain } from '../checkout/minting.ts'
import type { Asker, CheckoutRequest } from '../checkout/request.ts'
import { openSecrets } from '../checkout/secrets.ts'
import { requireUnused } from '../checkout/session-use.ts'
import { findTerms, requireExpected, requireSession } from '../checkout/terms.ts'
import { type Desk, toDesk } from '../flow-parts.ts'
import { ACP_PROBLEMS } from '../problems.ts'
import { findCheckout } from '../storage/checkouts.ts'
import type { DelegationRequest } from './delegation-request.ts'

/** A token for the agent, and its checkout. */
export interface Delegated {
  readonly checkout: AcpCheckout
  readonly token: string
  readonly isReplay: boolean
}

/** The delay until the first query about the outcome of a token. */
const FOLLOW_AFTER_MS = 5_000
const STOPS: readonly string[] = [
  'organization_frozen',
  'agent_paused',
  'mandate_revoked',
  'api_key_revoked',
]

/**
 * Judges the session of a token request, holds its total, and creates a token for exactly that
 * total, even if the request allows more. The agent gets the token, and completes the session
 * itself.
 */
export async function delegate(
  parts: BuyParts,
  asker: Asker,
  asked: DelegationRequest,
): Promise<Delegated> {
  const earlier = await parts.gateway.recall(asker.organizationId, asker.idempotency)
  if (earlier) return again(parts, asker, earlier)
  return parts.slots.take(asker, async () => {
    const ready = await unlessDecided(parts, asker, prepareDelegation(parts, asker, asked))
    if ('earlier' in ready) return again(parts, asker, ready.earlier)
    const { request, prepared } = ready
    const { decided, checkout } = await judge(parts, request, prepared, 'delegated')
    if (decided.decision === 'rejected') throw denied(decided)
    if (!checkout) return again(parts, asker, decided)
    return { ...(await handOut(parts, prepared.desk, checkout)), isReplay: false }
  })
}

async function prepareDelegation(
  parts: BuyParts,
  asker: Asker,
  asked: DelegationRequest,
): Promise<{ readonly request: CheckoutRequest; readonly prepared: Prepared }> {
  const desk = await openDesk(parts, asker, asked)
  const { merchant, instrument } = desk
  const { sessionId, maxAmount, currency, merchantId: payee } = asked
  const place = { vendorId: merchant.vendorId, sessionId }
  await requireUnused(parts, asker, place)
  const session = requireSession(await lookAt(parts.outbound, desk, sessionId))
  const expected = { amount: undefined, maxAmount, currency }
  requireExpected(session, expected)
  const wish = { handlerId: undefined, payee }
  const now = parts.now()
  const terms = findTerms(session, desk, wish, now)
  const tokenEndsAt = Math.min(terms.tokenEndsAt, asked.endsAt)
  if (tokenEndsAt <= now) {
    throw new Problem('validation_failed', 'The allowance has already expired.', {
      extra: { param: '$.allowance.expires_at' },
    })
  }
  const told = { category: null, reference: null, reason: null, metadata: null, isDry: false }
  const wishes = { handlerId: undefined, instrumentId: instrument.id, expected }
  const secrets = { buyer: null, billingAddress: null }
  // The protocol has no field for an approval, so the gateway looks for one that fits.
  const permit = { alike: true } as const
  const bought = { vendor: merchant.host, sessionId, permit }
  const request = { ...asker, ...bought, ...wishes, ...secrets, ...told }
  return { request, prepared: { desk, terms: { ...terms, tokenEndsAt } } }
}

async function openDesk(
  parts: BuyParts,
  { organizationId, agentId }: Asker,
  { merchantId, instrumentId }: DelegationRequest,
): Promise<Desk> {
  const [merchant, instrument] = await Promise.all([
    parts.registry.merchantByPayee(organizationId, merchantId),
    parts.registry.instrumentFor(organizationId, agentId, instrumentId),
  ])
  if (!merchant) {
    throw new Problem(
      ACP_PROBLEMS.merchant_not_allowed,
      'The vendor directory has no entry, or more than one, with this merchant id. Exactly one entry must have it in merchantIds.',
      { extra: { param: '$.allowance.merchant_id' } },
    )
  }
  const desk = instrument && toDesk(parts, merchant, instrument)
  if (desk) return desk
  throw new Problem(
    ACP_PROBLEMS.invalid_card,
    'This agent has no such instrument. Send the id of an instrument as number.',
    { extra: { param: '$.payment_method.number' } },
  )
}

/**
 * Creates the token and hands it out: stores it first, and only if the spender was not stopped
 * since.
 */
async function handOut(
  parts: BuyParts,
  desk: Desk,
  checkout: AcpCheckout,
): Promise<Omit<Delegated, 'isReplay'>> {
  const begun = await beginMinting(parts, desk, checkout)
  if (!begun || begun === 'wait') throw keyInFlight(1)
  const make = checkout.state === 'unknown' ? mintAgain : mint
  const minted = begun.state === 'minting' ? await make(parts, desk, begun) : begun
  if (!minted || minted === 'wait') throw keyInFlight(1)
  const handed =
    minted.state === 'minted'
      ? await advanceUnlessStopped(parts, desk, minted, (locked, { now }) => ({
          ...locked,
          state: 'handed',
          completions: 1,
          nextCheckAt: now + FOLLOW_AFTER_MS,
        }))
      : minted
  if (!handed) throw keyInFlight(1)
  // No caller waits for the end of a stopped checkout, but it should end as soon as possible.
  if (handed.state === 'closing') void parts.running.add(carryOut(parts, desk, handed, 0))
  return { checkout: handed, token: tokenOf(parts, handed) }
}

/** Answers a retry: returns the same token, or throws the reason why there is none. */
async function again(parts: BuyParts, asker: Asker, decided: Decided): Promise<Delegated> {
  if (decided.decision === 'rejected') throw denied(decided)
  const { organizationId } = asker
  const checkout = await findCheckout(parts.db, { organizationId, id: decided.id })
  if (!checkout) throw new Error('An approved ACP checkout was not stored.')
  if (checkout.state !== 'unknown') {
    return { checkout, token: tokenOf(parts, checkout), isReplay: true }
  }
  const [merchant, instrument] = await Promise.all([
    parts.registry.merchantById(organizationId, checkout.vendorId),
    parts.registry.instrumentUsed(organizationId, checkout.instrumentId),
  ])
  const desk = merchant && instrument && toDesk(parts, merchant, instrument)
  if (!desk) throw ended(checkout)
  return parts.slots.take(asker, async () => ({
    ...(await handOut(parts, desk, checkout)),
    isReplay: true,
  }))
}

function tokenOf(parts: BuyParts, checkout: AcpCheckout): string {
  switch (checkout.state) {
    case 'handed': {
      const { token } = openSecrets(parts, checkout)
      if (!token) throw new Error('The gateway handed out a token but has not stored it.')
      return token.id
    }
    case 'held':
    case 'minting':
    case 'minted':
      throw keyInFlight(1)
    case 'unknown':
      throw new Problem(
        ACP_PROBLEMS.acp_token_unknown,
        'The token provider has not answered. Retry with the same Idempotency-Key.',
        { extra: { decisionId: toPublicId('txn', checkout.id) }, retryAfterSeconds: 2 },
      )
    case 'completing':
    case 'authenticating':
    case 'closing':
    case 'completed':
    case 'settled':
    case 'released':
      throw ended(checkout)
  }
}

/** Failures of the gateway itself: neither the mandate nor the token provider refused. */
const NOBODYS_NO: readonly string[] = ['interrupted', 'issuer_unavailable']

/** Explains why there is no token, or none that can still be used. */
function ended(checkout: AcpCheckout): Problem {
  const extra = { decisionId: toPublicId('txn', checkout.id) }
  if (hasLeft(checkout)) {
    const why =
      'This request was already answered, and its token is used, expired or revoked. Use a new Idempotency-Key.'
    return new Problem(ACP_PROBLEMS.duplicate_request, why, { extra })
  }
  const code = checkout.failure?.code ?? 'interrupted'
  if (STOPS.includes(code)) {
    const why = `The spender was stopped before the token was handed out (${code}).`
    return new Problem(ACP_PROBLEMS.mandate_denied, why, { extra })
  }
  if (!NOBODYS_NO.includes(code)) {
    const why = `The token provider created no usable token (${code}).`
    return new Problem(ACP_PROBLEMS.invalid_card, why, { extra })
  }
  return new Problem(
    ACP_PROBLEMS.duplicate_request,
    `This request got no token (${code}) and will get none. Retry with a new Idempotency-Key.`,
    { extra },
  )
}

function asksForPerson(approvalId: string): string {
  return `A person must approve it: ${approvalId}. Once approved, send the request again with a new Idempotency-Key.`
}

function denied({ id, details, code }: Decided): Problem {
  const { message, approval } = JSON.parse(details)
  const next = approval?.status === 'pending' ? ` ${asksForPerson(approval.id)}` : ''
  return new Problem(ACP_PROBLEMS.mandate_denied, `${message} (${code})${next}`, {
    extra: { param: '$.allowance.max_amount', decisionId: toPublicId('txn', id) },
  })
}
