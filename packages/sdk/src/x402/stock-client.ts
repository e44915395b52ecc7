/** The parts of `@x402/core` 2.27 that the scheme and the guard meet, so that neither needs it. */

/** One offer of a 402. Version 1 calls the price `maxAmountRequired`. */
export interface StockOffer {
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly payTo: string
  readonly amount?: string
  readonly maxAmountRequired?: string
}

/** What the hooks of the stock client get. */
export interface StockContext {
  readonly paymentRequired: object
  readonly selectedRequirements: StockOffer
}

/** Stops a payment, with the reason. */
export interface StockAbort {
  readonly abort: true
  readonly reason: string
}

/** A token that the stock client knows. */
export interface StockAsset {
  readonly asset: string
  readonly decimals: number
  readonly symbol: string
}

/** `findDefaultAsset` of `@x402/evm`. */
export type FindStockAsset = (
  asset: string,
  network: `${string}:${string}`,
) => StockAsset | undefined

/** The reason for which an unseen 402 is not paid. */
export const UNSEEN =
  'Purser does not know which address sent this 402, so it cannot be judged, and nothing was signed. Pass the `fetch` of this scheme or guard to the x402 client, and pay a 402 soon after it came.'
