/** Who can make payment tokens. */
export const TOKEN_ISSUERS = ['stripe', 'delegate_payment'] as const
export type TokenIssuerName = (typeof TOKEN_ISSUERS)[number]

/** How many ways to pay an organization can have. */
export const INSTRUMENTS_MAX = 20

/** A way to pay of an organization: a stored payment method, for which an issuer makes tokens. */
export interface Instrument {
  /** The organization's own name for it. */
  readonly id: string
  readonly label: string
  readonly issuer: TokenIssuerName
  /** Where the issuer is called, without a slash at the end; null for its usual address. */
  readonly baseUrl: string | null
  /** As the issuer names the stored payment method. */
  readonly paymentMethod: string
  /** How the credential ends. */
  readonly credentialHint: string
  /** Which agents may pay with it; null is all of them. */
  readonly agentIds: readonly string[] | null
}
