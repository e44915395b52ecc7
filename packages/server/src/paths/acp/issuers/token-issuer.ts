import type { Instant } from '../../../core/time/instant.ts'
import type { TokenIssuerName as IssuerName } from '../registry/instrument.ts'

/** Who makes payment tokens that only one merchant can charge, once, up to an amount. */
export interface TokenIssuer {
  readonly name: IssuerName
  /** Why it can make no such token, as far as that is known without asking it. */
  objectionTo(wanted: Pick<Allowance, 'profileId' | 'currency'>): Objection | undefined
  /** `key` is the same for each try, so that a repeat makes no second token. */
  issue(instrument: UsableInstrument, allowance: Allowance, key: string): Promise<Issued>
  /** What became of a token. */
  inspect(instrument: UsableInstrument, tokenId: string): Promise<TokenState>
  /** Undone where nothing was charged yet. */
  revoke(instrument: UsableInstrument, tokenId: string): Promise<TokenState>
}

export type { IssuerName }

/** A way to pay of the organization, ready to be used. Nothing of it is ever logged or answered. */
export interface UsableInstrument {
  readonly id: string
  readonly issuer: IssuerName
  readonly baseUrl: string | null
  /** As the issuer names the stored way to pay. */
  readonly paymentMethod: string
  readonly credential: string
}

/** What the token may be used for. */
export interface Allowance {
  readonly merchantId: string
  /** The name of the merchant at the issuer, where that differs. */
  readonly profileId: string | null
  readonly sessionId: string
  /** In lower case, as both protocols write it. */
  readonly currency: string
  readonly maxMinor: number
  readonly expiresAt: Instant
  /** Our ids, for whoever compares the two records later. */
  readonly metadata: Readonly<Record<string, string>>
}

export interface Objection {
  readonly code: string
  /** What to do about it, as a sentence. */
  readonly message: string
}

export type Issued =
  | { readonly kind: 'issued'; readonly tokenId: string; readonly credentialType: string }
  /**
   * Refused for certain: this request made no token. After one with the same key that ended unknown
   * it proves nothing, because that one may have made it.
   */
  | { readonly kind: 'refused'; readonly code: string; readonly retryable: boolean }
  /** The payer has to prove something first. */
  | { readonly kind: 'action'; readonly tokenId: string; readonly url: string | null }
  /** A token may exist; it ends by itself at `expiresAt` of its allowance. */
  | { readonly kind: 'unknown'; readonly why: string }

export type TokenState =
  | { readonly kind: 'open' }
  /** Over, and this much was charged with it; null where the issuer does not say. */
  | { readonly kind: 'over'; readonly capturedMinor: number | null }
  | { readonly kind: 'unknown'; readonly why: string }
