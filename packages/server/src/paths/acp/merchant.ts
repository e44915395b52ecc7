import type { AcpHandler } from './registry/acp-entry.ts'

/** A merchant that speaks the protocol, as the directory knows it, ready to be called. */
export interface AcpMerchant {
  readonly vendorId: string
  readonly host: string
  readonly category: string | null
  readonly apiBaseUrl: string
  readonly version: string
  readonly credential: string
  readonly webhookSecret: string | null
  /** Who may be paid in its name. */
  readonly merchantIds: readonly string[]
  readonly profileId: string | null
  /** How a session is paid that names no way to pay. */
  readonly handler: AcpHandler | null
}
