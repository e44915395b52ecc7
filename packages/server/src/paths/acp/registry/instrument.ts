/** The token providers. */
export const TOKEN_ISSUERS = ['stripe', 'delegate_payment'] as const
export type TokenIssuerName = (typeof TOKEN_ISSUERS)[number]

/** The maximum number of instruments of an organization. */
export const INSTRUMENTS_MAX = 20

/** A stored payment method of an organization, for which a token provider creates tokens. */
export interface Instrument {
  /** The organization's own name for it. */
  readonly id: string
  readonly label: string
  readonly issuer: TokenIssuerName
  /** The base URL of the token provider, without a trailing slash. Null for its usual URL. */
  readonly baseUrl: string | null
  /** The token provider's name of the stored payment method. */
  readonly paymentMethod: string
  /** The last characters of the credential. */
  readonly credentialHint: string
  /** The agents that may pay with it. Null means all agents. */
  readonly agentIds: readonly string[] | null
}
