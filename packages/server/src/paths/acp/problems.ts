import { defineProblems } from '../../base/errors.ts'
import type { Refusals } from '../../storage/engine/database.ts'

/** The problems that can stop a checkout before its decision. */
export const ACP_PROBLEMS = defineProblems({
  acp_version_unsupported: { status: 400, title: 'This version of ACP is not supported' },
  idempotency_key_required: { status: 400, title: 'A checkout requires an Idempotency-Key' },
  invalid_card: { status: 400, title: 'The payment method cannot be used' },
  duplicate_request: {
    status: 400,
    title: 'The request was already answered, and its token is no longer valid',
  },
  mandate_denied: { status: 403, title: 'The mandate does not allow this spend' },
  merchant_not_allowed: {
    status: 403,
    title: 'Exactly one vendor of the directory must have this merchant id',
  },
  acp_session_not_found: { status: 404, title: 'Checkout session not found at the merchant' },
  acp_session_used: { status: 409, title: 'Another checkout already uses the session' },
  acp_session_not_ready: { status: 409, title: 'The session is not ready for payment' },
  acp_expectation_failed: {
    status: 409,
    title: 'The session differs from the expected amount or currency',
  },
  acp_checkout_state: { status: 409, title: 'The status of the checkout does not allow this' },
  acp_vendor_unknown: { status: 422, title: 'The directory has no such ACP merchant' },
  acp_instrument_unknown: { status: 422, title: 'No such payment instrument for this agent' },
  acp_unsupported_handler: {
    status: 422,
    title: 'The session offers no supported payment handler',
  },
  acp_merchant_mismatch: {
    status: 422,
    title: 'The merchant of the session is not the one in the directory',
  },
  acp_invalid_session: { status: 422, title: 'The session is malformed or ambiguous' },
  acp_token_unknown: { status: 503, title: 'The token provider has not confirmed the token yet' },
  acp_merchant_unavailable: { status: 502, title: 'The merchant is unreachable' },
})

/** Only one checkout can pay a session: the database refuses the decision of a second one. */
export const ACP_REFUSALS: Refusals = new Map([
  [
    'acp_session_is_used_once',
    {
      problem: ACP_PROBLEMS.acp_session_used,
      detail:
        'Another checkout of the organization is paying this session or has paid it. Nothing was decided. Open a new session to buy again.',
    },
  ],
])
