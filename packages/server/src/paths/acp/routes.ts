import type { FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import type { IdempotencyKey } from '../../core/idempotency.ts'
import type { App } from '../../http/app.ts'
import { aboutCards } from '../../http/body/card-numbers.ts'
import { readSpendKey } from '../../http/idempotency.ts'
import { answerFor } from '../decision-answer.ts'
import { spenderOf } from '../spend-fields.ts'
import { type BuyParts, buy } from './checkout/buy.ts'
import { toCheckoutRequest } from './checkout/request.ts'
import { findOwn, resume } from './checkout/resume.ts'
import { ACP_PROBLEMS } from './problems.ts'
import { CheckoutAnswer, CheckoutBody } from './schemas.ts'

/**
 * These ids come from merchants, handlers and networks, and may consist of digits only, as card
 * numbers do.
 */
const ABOUT_CHECKOUTS = aboutCards('checkoutSessionId', 'handlerId', 'transaction_id', 'vendor')

/** `POST /gateway/acp/checkouts`: judges a merchant's session, then completes it. */
export function checkoutRoutes(app: App, parts: BuyParts): void {
  app.route({
    method: 'POST',
    url: '/gateway/acp/checkouts',
    schema: {
      operationId: 'createAcpCheckout',
      summary: "Decide on an ACP merchant's checkout session, then complete it",
      description:
        'The gateway reads the total from the merchant, never from the agent. It returns 200 for an approval, a rejection, and any failure after the hold is placed. It responds within 30 seconds; if the outcome is not known by then, the status is `processing`. An Idempotency-Key is required: the same key never buys twice. Send `transactionId` to continue a checkout that waits for the payer.',
      tags: ['Gateway'],
      body: CheckoutBody,
      response: { 200: CheckoutAnswer },
    },
    config: {
      scope: 'gateway:write',
      agentKeys: 'allowed',
      cards: ABOUT_CHECKOUTS,
      problems: [
        'agent_not_found',
        'approval_not_found',
        'transaction_not_found',
        'plan_limit_exceeded',
        'overloaded',
        ACP_PROBLEMS.acp_session_used,
        ACP_PROBLEMS.idempotency_key_required,
        ACP_PROBLEMS.acp_session_not_found,
        ACP_PROBLEMS.acp_session_not_ready,
        ACP_PROBLEMS.acp_expectation_failed,
        ACP_PROBLEMS.acp_checkout_state,
        ACP_PROBLEMS.acp_vendor_unknown,
        ACP_PROBLEMS.acp_instrument_unknown,
        ACP_PROBLEMS.acp_unsupported_handler,
        ACP_PROBLEMS.acp_merchant_mismatch,
        ACP_PROBLEMS.acp_invalid_session,
        ACP_PROBLEMS.acp_merchant_unavailable,
      ],
    },
    handler: async (request, reply) => {
      const receivedAt = performance.now()
      const { organizationId, principal, body } = request
      const asker = { organizationId, askedBy: principal, receivedAt }
      const bought = body.transactionId === undefined ? await begin() : await goOn()
      if (bought.isReplay) reply.header('idempotent-replayed', 'true')
      return answerFor(principal, bought.answer)

      async function begin() {
        const agentId = spenderOf(principal, body)
        const idempotency = requireKey(request, agentId)
        return buy(parts, toCheckoutRequest(body, { ...asker, agentId, idempotency }))
      }

      async function goOn() {
        const checkout = await findOwn(parts, request, body)
        const idempotency = requireKey(request, checkout.agentId)
        return resume(parts, { ...asker, checkout, idempotency, body })
      }
    },
  })
}

/** Requires a key, because a retry after a lost answer would otherwise buy twice. */
function requireKey(request: FastifyRequest, agentId: string): IdempotencyKey {
  const key = readSpendKey(request, agentId)
  if (key) return key
  throw new Problem(
    ACP_PROBLEMS.idempotency_key_required,
    'Send an Idempotency-Key, a new one for each purchase: a retry with the same key does not buy twice.',
  )
}
