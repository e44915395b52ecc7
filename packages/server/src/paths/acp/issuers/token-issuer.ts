import type { Instant } from '../../../core/time/instant.ts'
import type { TokenIssuerName as IssuerName } from '../registry/instrument.ts'

/**
 * A token provider. It creates payment tokens that one merchant can charge, once, up to an amount.
 */
export interface TokenIssuer {
  readonly name: IssuerName
  /** Returns why it cannot create such a token, as far as that is known without a call. */
  objectionTo(wanted: Pick<Allowance, 'profileId' | 'currency'>): Objection | undefined
  /**
   * Creates a token. `key` is the same for each attempt, so that a retry creates no second token.
   */
  issue(instrument: UsableInstrument, allowance: Allowance, key: string): Promise<Issued>
  /** Returns the state of a token. */
  inspect(instrument: UsableInstrument, tokenId: string): Promise<TokenState>
  /** Revokes a token, if nothing was charged yet, and returns its state. */
  revoke(instrument: UsableInstrument, tokenId: string): Promise<TokenState>
}

export type { IssuerName }

/** An instrument of the organization, ready to be used. It is never logged or shown in answers. */
export interface UsableInstrument {
  readonly id: string
  readonly issuer: IssuerName
  readonly baseUrl: string | null
  /** The token provider's name of the stored payment method. */
  readonly paymentMethod: string
  readonly credential: string
}

/** The limits of a token. */
export interface Allowance {
  readonly merchantId: string
  /** The merchant's id at the token provider, if that differs. */
  readonly profileId: string | null
  readonly sessionId: string
  /** The currency in lower case, as both protocols write it. */
  readonly currency: string
  readonly maxMinor: number
  readonly expiresAt: Instant
  /** Our ids, for a later comparison of the two records. */
  readonly metadata: Readonly<Record<string, string>>
}

export interface Objection {
  readonly code: string
  /** A sentence that says what to do. */
  readonly message: string
}

export type Issued =
  | { readonly kind: 'issued'; readonly tokenId: string; readonly credentialType: string }
  /**
   * Refused for certain: this request created no token. After a request with the same key and an
   * unknown outcome it proves nothing, because that request may have created one.
   */
  | { readonly kind: 'refused'; readonly code: string; readonly retryable: boolean }
  /** The payer has to authenticate first. */
  | { readonly kind: 'action'; readonly tokenId: string; readonly url: string | null }
  /** A token may exist; it ends by itself at `expiresAt` of its allowance. */
  | { readonly kind: 'unknown'; readonly why: string }

export type TokenState =
  | { readonly kind: 'open' }
  /**
   * The token is over. `capturedMinor` is the charged amount, or null if the provider does not
   * report it.
   */
  | { readonly kind: 'over'; readonly capturedMinor: number | null }
  | { readonly kind: 'unknown'; readonly why: string }
