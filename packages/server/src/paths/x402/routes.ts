import type { Static } from 'typebox'
import type { Principal } from '../../core/principal.ts'
import type { App } from '../../http/app.ts'
import { readSpendKey } from '../../http/idempotency.ts'
import { answerFor } from '../decision-answer.ts'
import { spenderOf } from '../spend-fields.ts'
import type { Evm } from './evm.ts'
import type { PayParts } from './pay.ts'
import { toPayRequest } from './pay-request.ts'
import { X402_PROBLEMS } from './problems.ts'
import { PayAnswer, PayBody } from './schemas.ts'

/** `POST /gateway/x402/pay`: judges a payment, then signs or makes it. */
export function payRoutes(app: App, parts: PayParts & { loadEvm(): Promise<Evm> }): void {
  app.route({
    method: 'POST',
    url: '/gateway/x402/pay',
    // Leaves room for a request body of 1 MB for the vendor, escaped as a JSON string.
    bodyLimit: 2 * 1_024 * 1_024,
    schema: {
      operationId: 'payX402',
      summary: 'Decide on an x402 payment, then sign or make it',
      description:
        'Returns 200 for an approval, a rejection, and every payment that may have been made, whatever the vendor answered. Send an Idempotency-Key: a retry with the same key returns the same payment and never makes a second one. The body may be up to 2 MiB.',
      tags: ['Gateway'],
      body: PayBody,
      response: { 200: PayAnswer },
    },
    config: {
      scope: 'gateway:write',
      agentKeys: 'allowed',
      problems: [
        'agent_not_found',
        'approval_not_found',
        'plan_limit_exceeded',
        'overloaded',
        X402_PROBLEMS.x402_malformed,
        X402_PROBLEMS.x402_version_unsupported,
        X402_PROBLEMS.x402_no_acceptable_offer,
        X402_PROBLEMS.x402_max_amount_exceeded,
        X402_PROBLEMS.x402_fetch_off,
        X402_PROBLEMS.x402_payment_stopped,
        X402_PROBLEMS.wallet_not_found,
        X402_PROBLEMS.wallet_not_configured,
        X402_PROBLEMS.wallet_insufficient_funds,
        X402_PROBLEMS.url_not_allowed,
        X402_PROBLEMS.upstream_unreachable,
        X402_PROBLEMS.upstream_redirect,
        X402_PROBLEMS.upstream_timeout,
        X402_PROBLEMS.signer_unavailable,
        X402_PROBLEMS.chain_unavailable,
        X402_PROBLEMS.chain_clock_apart,
      ],
    },
    handler: async (request, reply) => {
      const receivedAt = performance.now()
      const { organizationId, principal, body } = request
      const agentId = spenderOf(principal, body)
      const idempotency = readSpendKey(request, agentId)
      const context = { organizationId, agentId, askedBy: principal, idempotency, receivedAt }
      const asked = toPayRequest(body, context)
      const { WAYS } = await parts.loadEvm()
      const { answer, isReplay } = await WAYS[asked.mode](parts, asked)
      if (isReplay) reply.header('idempotent-replayed', 'true')
      return toldTo(principal, answer)
    },
  })
}

function toldTo(principal: Principal, whole: Static<typeof PayAnswer>): Static<typeof PayAnswer> {
  const answer = answerFor(principal, whole)
  if (!answer.hold || answer.remainingBudget === null) return answer
  return { ...answer, hold: { ...answer.hold, budgetRemaining: answer.remainingBudget } }
}
