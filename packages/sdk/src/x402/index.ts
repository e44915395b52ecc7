export {
  createPurserGuard,
  type GuardableClient,
  type PurserGuard,
  type PurserGuardOptions,
} from './guard.ts'
export { createPurserScheme, type PurserScheme, type PurserSchemeOptions } from './scheme.ts'
export type {
  FindStockAsset,
  StockAbort,
  StockAsset,
  StockContext,
  StockOffer,
} from './stock-client.ts'
