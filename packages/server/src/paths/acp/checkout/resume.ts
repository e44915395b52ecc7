import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { invalidFields, Problem } from '../../../base/errors.ts'
import { actsFor } from '../../../core/api-key.ts'
import { type IdempotencyKey, keyReused } from '../../../core/idempotency.ts'
import { fromPublicId } from '../../../http/document/schemas.ts'
import { findDecided } from '../../../storage/decisions/stored-answers.ts'
import { transactionFor } from '../../../storage/engine/queryable.ts'
import type { Spender } from '../../../storage/spending-stops.ts'
import { toDesk } from '../flow-parts.ts'
import { ACP_PROBLEMS } from '../problems.ts'
import type { CheckoutBody } from '../schemas.ts'
import { findCheckout, findExternal } from '../storage/checkouts.ts'
import { advance, toClosing } from './advance.ts'
import { type Bought, type BuyParts, finish, toAnswer } from './buy.ts'
import type { AcpCheckout } from './checkout.ts'
import { CANCELED } from './closing.ts'
import { openSecrets, sealSecrets } from './secrets.ts'

type Body = Static<typeof CheckoutBody>

/** A request to continue a checkout, from a key or member that acts for the agent that began it. */
export interface ResumeRequest {
  readonly organizationId: string
  readonly askedBy: Spender['askedBy']
  readonly checkout: AcpCheckout
  readonly idempotency: IdempotencyKey
  readonly body: Body
  readonly receivedAt: number
}

const ANSWER_MS = 27_000
const LOOKS_MS = 20_000
const TRIES_MAX = 5
const ALLOWED: readonly string[] = ['agentId', 'transactionId', 'authenticationResult', 'cancel']

/** Finds the named checkout, if the caller may act for the agent that began it. */
export async function findOwn(
  { db }: Pick<BuyParts, 'db'>,
  { organizationId, principal }: Pick<FastifyRequest, 'organizationId' | 'principal'>,
  body: Body,
): Promise<AcpCheckout> {
  const id = fromPublicId('txn', body.transactionId ?? '')
  const found = await findCheckout(db, { organizationId, id })
  const isOwn =
    found?.mode === 'managed' &&
    actsFor(principal, found.agentId) &&
    (body.agentId ?? found.agentId) === found.agentId
  if (found && isOwn) return found
  throw new Problem('transaction_not_found', 'No checkout has this transactionId.')
}

/** Submits the payer's authentication result, or cancels the checkout. */
export async function resume(parts: BuyParts, request: ResumeRequest): Promise<Bought> {
  requireSense(request.body)
  const { organizationId, idempotency } = request
  // A key that belongs to a spend is refused here.
  if (await parts.gateway.recall(organizationId, idempotency)) throw keyReused()
  // Take the slot first: a request without a slot must not change anything.
  const going = parts.running.add(
    parts.slots.take(request.checkout, async () => {
      const resumed = await accept(parts, request, request.checkout)
      if (resumed) await finishResumed(parts, request, resumed)
      return { isReplay: resumed === undefined }
    }),
  )
  const done = await parts.running.within(going, request.receivedAt + ANSWER_MS)
  return answerNow(parts, request, done?.isReplay ?? false)
}

function requireSense(body: Body): void {
  const extra = Object.keys(body).find((name) => !ALLOWED.includes(name))
  if (extra !== undefined) {
    const message = 'cannot be combined with transactionId'
    throw invalidFields([{ path: `/${extra}`, code: 'not_allowed', message }])
  }
  if ((body.authenticationResult === undefined) !== (body.cancel === undefined)) return
  const message = 'needs exactly one of authenticationResult and cancel'
  throw invalidFields([{ path: '/transactionId', code: 'required', message }])
}

/**
 * Returns undefined if the same request was accepted before. Overtakes a process that works on the
 * checkout meanwhile.
 */
async function accept(
  parts: BuyParts,
  request: ResumeRequest,
  read: AcpCheckout,
  tries = 1,
): Promise<AcpCheckout | undefined> {
  const { key, fingerprint, matches } = request.idempotency
  if (read.resumed?.key === key) {
    if (matches(read.resumed.fingerprint)) return undefined
    throw keyReused()
  }
  if (read.state !== 'authenticating') throw notWaiting(read)
  const accepted = await advance(parts, read, (locked) => ({
    ...goOn(parts, locked, request.body),
    askedBy: { kind: request.askedBy.kind, id: request.askedBy.id },
    resumed: { key, fingerprint },
    waitsUntil: null,
  }))
  if (accepted) return accepted
  const again = await findCheckout(parts.db, read)
  if (!again || tries === TRIES_MAX) throw notWaiting(read)
  return accept(parts, request, again, tries + 1)
}

function goOn(parts: BuyParts, checkout: AcpCheckout, body: Body): AcpCheckout {
  if (body.cancel) return toClosing(checkout, { code: CANCELED, retryable: false })
  const { authenticationResult = null } = body
  const secrets = { ...openSecrets(parts, checkout), authenticationResult }
  return { ...checkout, state: 'minted', sealed: sealSecrets(parts, checkout, secrets) }
}

async function finishResumed(
  parts: BuyParts,
  { receivedAt }: ResumeRequest,
  checkout: AcpCheckout,
): Promise<void> {
  const { organizationId, vendorId, instrumentId } = checkout
  const [merchant, instrument] = await Promise.all([
    parts.registry.merchantById(organizationId, vendorId),
    parts.registry.instrumentUsed(organizationId, instrumentId),
  ])
  const desk = merchant && instrument && toDesk(parts, merchant, instrument)
  if (desk) await finish(parts, desk, checkout, receivedAt + LOOKS_MS)
}

async function answerNow(
  { db }: BuyParts,
  { organizationId, checkout }: ResumeRequest,
  isReplay: boolean,
): Promise<Bought> {
  const { id } = checkout
  const [rows, external] = await transactionFor(db, organizationId, (tx) =>
    Promise.all([findDecided(tx, organizationId, [id]), findExternal(tx, { organizationId, id })]),
  )
  const decided = rows.get(id)
  if (!decided || !external) throw new Error('A checkout has no transaction.')
  return { answer: toAnswer({ ...decided, isReplay }, external), isReplay }
}

function notWaiting({ state }: AcpCheckout): Problem {
  return new Problem(
    ACP_PROBLEMS.acp_checkout_state,
    'The checkout is not waiting for the payer, so it cannot be continued or canceled here. GET /transactions/:id shows its outcome.',
    { extra: { checkoutState: state } },
  )
}
