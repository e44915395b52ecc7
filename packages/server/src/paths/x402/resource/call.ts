import type { Static } from 'typebox'
import { Problem } from '../../../base/errors.ts'
import type { Spend } from '../../../core/spend.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type {
  OutboundAnswer,
  OutboundFailure,
  OutboundResult,
} from '../../../outbound/outbound-client.ts'
import { newId } from '../../../storage/new-id.ts'
import type { PathParts } from '../../path.ts'
import { toPreviewAnswer } from '../answer.ts'
import type { PayRequest } from '../pay-request.ts'
import { X402_PROBLEMS } from '../problems.ts'
import type { PayAnswer } from '../schemas.ts'

/** The types of rules that can be judged before the price is known. */
const RULES_OF_THE_CALL: readonly string[] = ['paths', 'vendors']
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/**
 * Rejects the request if the agent may not spend at the vendor: the gateway does not call the
 * vendor then, because a free answer would never be judged. Returns the rejection, or undefined. No
 * transaction records the rejection, because there is no price.
 */
export async function judgeCall(
  { gateway, now }: Pick<PathParts, 'gateway' | 'now'>,
  request: PayRequest,
): Promise<Static<typeof PayAnswer> | undefined> {
  const spend = toSmallestSpend(request, now())
  const decision = await gateway.preview(spend, undefined)
  const { rules, failed } = decision.details
  const isGated = decision.decision === 'rejected' && rules.length === 0
  const isForbidden = rules.some(
    ({ id, type }) => failed.includes(id) && RULES_OF_THE_CALL.includes(type),
  )
  if (!isGated && !isForbidden) return undefined
  return {
    status: 'rejected',
    ...toPreviewAnswer(spend, decision, request.receivedAt),
    amount: null,
  }
}

/** Builds a spend of the smallest amount, as a placeholder for the unknown price. */
function toSmallestSpend(request: PayRequest, now: Instant): Spend {
  const { organizationId, agentId, vendor, category, reference } = request
  return {
    transactionId: newId(now),
    organizationId,
    agentId,
    path: 'x402',
    amount: 1n,
    currency: null,
    vendor,
    category,
    reference,
    payee: null,
    holdMs: Number.POSITIVE_INFINITY,
    card: null,
  }
}

/**
 * Returns a vendor's first answer, from before the payment, or throws if the call failed or
 * redirects.
 */
export function requireAnswer(result: OutboundResult): OutboundAnswer {
  if (result.kind === 'failure') throw unreachable(result)
  if (REDIRECTS.includes(result.status)) throw redirected(result)
  return result
}

function unreachable({ reason, message }: OutboundFailure): Problem {
  switch (reason) {
    case 'url_refused':
    case 'address_refused':
      // All reasons have the same text, so that a caller cannot map an internal network by trial.
      return new Problem(X402_PROBLEMS.url_not_allowed, 'The gateway may not call this URL.')
    case 'timeout':
      return new Problem(X402_PROBLEMS.upstream_timeout, `${message} Nothing was paid.`)
    case 'own_fault':
      return new Problem(
        'overloaded',
        'The gateway could not call the vendor now. Retry shortly.',
        { retryAfterSeconds: 1 },
      )
    default:
      return new Problem(X402_PROBLEMS.upstream_unreachable, `${message} Nothing was paid.`)
  }
}

function redirected({ status, headers }: OutboundAnswer): Problem {
  const { location = '' } = headers
  return new Problem(
    X402_PROBLEMS.upstream_redirect,
    `The vendor answered ${status}. The gateway does not follow redirects. Send the target URL in a new request, so that it can be judged. Nothing was paid.`,
    { extra: { location: location.slice(0, 2_048) } },
  )
}
