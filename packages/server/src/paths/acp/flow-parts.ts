import type { PathParts } from '../path.ts'
import type { Issuers } from './issuers/index.ts'
import type { TokenIssuer, UsableInstrument } from './issuers/token-issuer.ts'
import type { AcpMerchant } from './merchant.ts'
import { createHiding, type Hide } from './versions/hiding.ts'
import { findVersion } from './versions/index.ts'
import type { CheckoutVersion } from './versions/version.ts'

/** Who sells, and with what can be paid, as the organization has said it. */
export interface AcpRegistry {
  merchantByHost(organizationId: string, host: string): Promise<AcpMerchant | undefined>
  merchantById(organizationId: string, vendorId: string): Promise<AcpMerchant | undefined>
  /** The merchant that lists this id among those that may be paid in its name. */
  merchantByPayee(organizationId: string, merchantId: string): Promise<AcpMerchant | undefined>
  /** Without an id, the first that the agent may use. */
  instrumentFor(
    organizationId: string,
    agentId: string,
    id: string | undefined,
  ): Promise<UsableInstrument | undefined>
  /** One that a checkout was begun with, whoever may use it now. */
  instrumentUsed(organizationId: string, id: string): Promise<UsableInstrument | undefined>
}

export interface FlowParts
  extends Pick<PathParts, 'db' | 'gateway' | 'sealer' | 'outbound' | 'now' | 'clock' | 'log'> {
  readonly registry: AcpRegistry
  readonly issuers: Issuers
}

/** Both of the others that a checkout needs, ready to be called. */
export interface Desk {
  readonly merchant: AcpMerchant
  readonly version: CheckoutVersion
  readonly instrument: UsableInstrument
  readonly issuer: TokenIssuer
  /** Takes credentials and tokens out of what the merchant writes. */
  readonly hide: Hide
}

/** Undefined where we do not speak the merchant's version. */
export function toDesk(
  { issuers }: Pick<FlowParts, 'issuers'>,
  merchant: AcpMerchant,
  instrument: UsableInstrument,
): Desk | undefined {
  const version = findVersion(merchant.version)
  const plain = [merchant.credential, merchant.webhookSecret, instrument.credential]
  const hide = createHiding({ plain, digest: null })
  return version && { merchant, version, instrument, issuer: issuers[instrument.issuer], hide }
}
