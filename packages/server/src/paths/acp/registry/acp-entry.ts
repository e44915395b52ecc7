import { matchesVendor, toVendor, toVendorPattern } from '../../../core/vendor.ts'

/** The versions of the Agentic Commerce Protocol that a shop can be called in, newest first. */
export const ACP_VERSIONS = [
  '2026-04-17',
  '2026-01-30',
  '2026-01-16',
  '2025-12-12',
  '2025-09-29',
] as const

/** A way to pay that the vendor has agreed on, as it names it. */
export interface AcpHandler {
  readonly id: string
  readonly psp: string
}

/** How a vendor of the directory is called that speaks the protocol. */
export interface AcpEntry {
  /** Without a slash at the end. */
  readonly apiBaseUrl: string
  readonly version: (typeof ACP_VERSIONS)[number]
  /** Who may be paid in its name. */
  readonly merchantIds: readonly string[]
  /** The name of the merchant at the issuer of tokens, where that differs. */
  readonly profileId: string | null
  /** How a session is paid that names no way to pay. Undefined in entries of older gateways. */
  readonly handler?: AcpHandler | null
  readonly credentialHint: string
  readonly webhookSecretHint: string | null
}

/**
 * Whether an address belongs to the vendor: its own host, or one below it. A mandate allows the
 * vendor by its host, so nobody else may be called in its name. Below a name that anybody can
 * register below, each host is somebody else.
 */
export function isAddressOf(host: string, url: string): boolean {
  const called = toVendor(url)
  if (called === undefined) return false
  if (called === host) return true
  const below = toVendorPattern(`*.${host}`)
  return 'pattern' in below && matchesVendor(below.pattern, called)
}
