import type { Allowance, UsableInstrument } from '../../../../src/paths/acp/issuers/token-issuer.ts'
import type { Psp } from '../../../support/acp/psp.ts'

/** What may be charged: 45 USD, within a quarter of an hour, in whole seconds as Stripe counts. */
export function someAllowance(changes: Partial<Allowance> = {}): Allowance {
  return {
    merchantId: 'acct_merchant_1',
    profileId: 'profile_merchant_1',
    sessionId: 'cs_1',
    currency: 'usd',
    maxMinor: 4_500,
    expiresAt: Math.floor(Date.now() / 1_000) * 1_000 + 900_999,
    metadata: { purser_transaction_id: 'txn_1' },
    ...changes,
  }
}

export function instrumentAt(
  { url: baseUrl, paymentMethod, credential }: Psp,
  issuer: UsableInstrument['issuer'],
): UsableInstrument {
  return { id: 'company-card', issuer, baseUrl, paymentMethod, credential }
}
