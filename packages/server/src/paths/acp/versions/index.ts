import { PROVIDER_VERSIONS } from './provider-versions.ts'
import { version20260130 } from './v2026-01-30.ts'
import { version20260417 } from './v2026-04-17.ts'
import type { CheckoutVersion } from './version.ts'

/** All versions, newest first. */
export const CHECKOUT_VERSIONS: readonly CheckoutVersion[] = [
  version20260417,
  version20260130,
  ...PROVIDER_VERSIONS,
]

export function findVersion(name: string): CheckoutVersion | undefined {
  return CHECKOUT_VERSIONS.find((version) => version.name === name)
}
