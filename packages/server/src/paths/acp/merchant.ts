import type { AcpHandler } from './registry/acp-entry.ts'

/** A merchant of the directory that speaks the protocol, ready to be called. */
export interface AcpMerchant {
  readonly vendorId: string
  readonly host: string
  readonly category: string | null
  readonly apiBaseUrl: string
  readonly version: string
  readonly credential: string
  readonly webhookSecret: string | null
  /** The payee ids that the directory allows for this merchant. */
  readonly merchantIds: readonly string[]
  readonly profileId: string | null
  /** The way to pay for a session that names none. */
  readonly handler: AcpHandler | null
}
