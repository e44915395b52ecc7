import { version20260417 } from './v2026-04-17.ts'
import type { CheckoutVersion } from './version.ts'

/**
 * The first version with payment handlers. The parts of sessions and completions that we use are
 * the same in the next version, whose changes concern orders, carts and discovery.
 */
export const version20260130: CheckoutVersion = { ...version20260417, name: '2026-01-30' }
