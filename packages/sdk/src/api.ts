import { buildTree } from './client/build-tree.ts'
import { type PurserOptions, readOptions } from './client/options.ts'
import { OPERATIONS } from './generated/operations.ts'
import type { Api } from './generated/tree.ts'

export { PurserError } from './client/errors.ts'
export type { PurserOptions } from './client/options.ts'
export type { Api } from './generated/tree.ts'

/**
 * Makes a client with the operations of the API alone. It has half of the bytes of `Purser`, for
 * pages that need none of its helpers: `spend`, `x402.fetch`, `approvals.wait`, exports and streams.
 */
export function createApi(options: PurserOptions = {}): Api {
  // The settings hold the key, so no property leads to them.
  return buildTree(readOptions(options), OPERATIONS) as unknown as Api
}
