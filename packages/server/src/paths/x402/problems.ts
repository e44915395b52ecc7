import { defineProblems } from '../../base/errors.ts'

/** The problems of x402 payments, in addition to those of every request. */
export const X402_PROBLEMS = defineProblems({
  x402_malformed: { status: 400, title: 'The payment request is malformed' },
  x402_version_unsupported: { status: 400, title: 'This version of x402 is not supported' },
  wallet_not_found: { status: 404, title: 'Wallet not found' },
  wallet_address_taken: {
    status: 409,
    title: 'The organization already has a wallet with this address',
  },
  x402_payment_stopped: { status: 409, title: 'The payment was stopped before it was signed' },
  x402_fetch_off: { status: 409, title: 'Calls to vendors are turned off' },
  x402_no_acceptable_offer: { status: 422, title: 'None of the offers can be paid' },
  x402_max_amount_exceeded: { status: 422, title: 'The price is above maxAmount' },
  wallet_not_configured: { status: 422, title: 'The organization has no wallet' },
  wallet_insufficient_funds: { status: 422, title: 'The wallet has insufficient funds' },
  url_not_allowed: { status: 422, title: 'The URL is not allowed' },
  upstream_unreachable: { status: 502, title: 'The vendor is unreachable' },
  upstream_redirect: { status: 502, title: 'The vendor answered with a redirect' },
  upstream_timeout: { status: 502, title: 'The vendor did not answer in time' },
  signer_unavailable: { status: 503, title: 'The payment could not be signed' },
  chain_unavailable: { status: 503, title: 'The chain is unreachable' },
  chain_clock_apart: { status: 503, title: 'The clocks of chain and gateway differ too much' },
})
