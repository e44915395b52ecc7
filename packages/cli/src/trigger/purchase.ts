/** A purchase as an issuer would ask about it. */
export interface Purchase {
  /** The card as its issuer names it. */
  readonly card: string
  /** In the smallest unit of the currency, as issuers send it. */
  readonly amount: number
  readonly currency: string
  readonly merchant: {
    readonly name: string
    readonly id: string
    readonly mcc: string
    /** As the issuer writes it: Stripe in two letters, Lithic in three. */
    readonly country: string
  }
  /** Whether the merchant would take less. */
  readonly partialSupported: boolean
}

/** Which purchase it is about, and what was decided of it before. */
export interface Request {
  readonly authorizationId: string
  readonly purchase: Purchase
  /** What was answered to earlier requests for the same purchase, oldest first. */
  readonly before: readonly EarlierRequest[]
  /** What was approved before and is still held. */
  readonly held: number
  readonly seconds: number
}

export interface EarlierRequest {
  readonly amount: number
  readonly isApproved: boolean
  readonly reason: string
  readonly seconds: number
}
