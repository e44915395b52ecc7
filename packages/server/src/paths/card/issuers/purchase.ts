/** A purchase in an authorization request of an issuer. */
export interface Purchase {
  /** The issuer's id of the card. */
  readonly card: string
  /** The amount in minor units, as issuers send it. */
  readonly amount: number
  readonly currency: string
  readonly merchant: {
    readonly name: string
    readonly id: string
    readonly mcc: string
    /** The country in the issuer's notation: two letters for Stripe, three for Lithic. */
    readonly country: string
  }
  /** Whether the merchant accepts a partial approval. */
  readonly partialSupported: boolean
}

/** An authorization request, with the earlier decisions about the same purchase. */
export interface Request {
  readonly authorizationId: string
  readonly purchase: Purchase
  /** The answers to earlier requests for the same purchase, oldest first. */
  readonly before: readonly EarlierRequest[]
  /** The amount that was approved before and is still held. */
  readonly held: number
  readonly seconds: number
}

export interface EarlierRequest {
  readonly amount: number
  readonly isApproved: boolean
  readonly reason: string
  readonly seconds: number
}
