import { defineProblems } from '../../base/errors.ts'
import type { Refusals } from '../../storage/engine/database.ts'

/** What can stand in the way of a checkout before anything of it is decided. */
export const ACP_PROBLEMS = defineProblems({
  acp_version_unsupported: { status: 400, title: 'The version of ACP is not supported' },
  idempotency_key_required: { status: 400, title: 'A checkout needs an Idempotency-Key' },
  invalid_card: { status: 400, title: 'The way to pay cannot be used' },
  duplicate_request: { status: 400, title: 'The request has ended, and has no token any more' },
  mandate_denied: { status: 403, title: 'The mandate does not allow it' },
  merchant_not_allowed: { status: 403, title: 'The directory knows nobody with this merchant id' },
  acp_session_not_found: { status: 404, title: 'The merchant knows no such session' },
  acp_session_used: { status: 409, title: 'The session is used up by another checkout' },
  acp_session_not_ready: { status: 409, title: 'The session cannot be paid now' },
  acp_expectation_failed: { status: 409, title: 'The session is not what was expected' },
  acp_checkout_state: { status: 409, title: 'The checkout is not in a state that allows this' },
  acp_vendor_unknown: { status: 422, title: 'The directory knows no such ACP merchant' },
  acp_instrument_unknown: { status: 422, title: 'There is no such way to pay for this agent' },
  acp_unsupported_handler: {
    status: 422,
    title: 'The session offers no way to pay that is allowed',
  },
  acp_merchant_mismatch: { status: 422, title: 'The session pays somebody else than the merchant' },
  acp_invalid_session: { status: 422, title: 'The session cannot be read for certain' },
  acp_token_unknown: { status: 503, title: 'It is not known yet whether there is a token' },
  acp_merchant_unavailable: { status: 502, title: 'The merchant could not be asked' },
})

/** A session is paid by one checkout: the database refuses the decision on a second one. */
export const ACP_REFUSALS: Refusals = new Map([
  [
    'acp_session_is_used_once',
    {
      problem: ACP_PROBLEMS.acp_session_used,
      detail:
        'This session is being paid, or was paid, by another checkout of the organization. Nothing was decided. Open another session to buy again.',
    },
  ],
])
