import { matchesVendor, toVendor, toVendorPattern } from '../../../core/vendor.ts'

/** The supported versions of the Agentic Commerce Protocol, newest first. */
export const ACP_VERSIONS = [
  '2026-04-17',
  '2026-01-30',
  '2026-01-16',
  '2025-12-12',
  '2025-09-29',
] as const

/** A way to pay that was agreed with the vendor, by the vendor's names. */
export interface AcpHandler {
  readonly id: string
  readonly psp: string
}

/** The ACP settings of a vendor in the directory. */
export interface AcpEntry {
  /** The base URL, without a trailing slash. */
  readonly apiBaseUrl: string
  readonly version: (typeof ACP_VERSIONS)[number]
  /** The payee ids that are allowed for this vendor. */
  readonly merchantIds: readonly string[]
  /** The merchant's id at the token provider, if that differs. */
  readonly profileId: string | null
  /** The way to pay for a session that names none. Undefined in entries of older gateways. */
  readonly handler?: AcpHandler | null
  readonly credentialHint: string
  readonly webhookSecretHint: string | null
}

/**
 * Returns whether a URL belongs to the vendor: its host, or a subdomain. A mandate allows the
 * vendor by its host, so the gateway must not call anyone else in its name. Subdomains of a public
 * suffix belong to different owners, and do not count.
 */
export function isAddressOf(host: string, url: string): boolean {
  const called = toVendor(url)
  if (called === undefined) return false
  if (called === host) return true
  const below = toVendorPattern(`*.${host}`)
  return 'pattern' in below && matchesVendor(below.pattern, called)
}
