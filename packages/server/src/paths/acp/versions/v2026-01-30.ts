import { version20260417 } from './v2026-04-17.ts'
import type { CheckoutVersion } from './version.ts'

/**
 * The first version with payment handlers. What we read of a session and write into a completion is
 * the same in the next one, whose changes concern orders, carts and discovery.
 */
export const version20260130: CheckoutVersion = { ...version20260417, name: '2026-01-30' }
