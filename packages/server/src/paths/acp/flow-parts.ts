import type { PathParts } from '../path.ts'
import type { Issuers } from './issuers/index.ts'
import type { TokenIssuer, UsableInstrument } from './issuers/token-issuer.ts'
import type { AcpMerchant } from './merchant.ts'
import { findInstrument, findUsedInstrument } from './storage/instruments.ts'
import { findMerchant, findMerchantById, findMerchantPaidAs } from './storage/merchants.ts'
import { createHiding, type Hide } from './versions/hiding.ts'
import { findVersion } from './versions/index.ts'
import type { CheckoutVersion } from './versions/version.ts'

/** Looks up the organization's merchants and instruments. */
export interface AcpRegistry {
  merchantByHost(organizationId: string, host: string): Promise<AcpMerchant | undefined>
  merchantById(organizationId: string, vendorId: string): Promise<AcpMerchant | undefined>
  /** Finds the merchant that lists this id in `merchantIds`. */
  merchantByPayee(organizationId: string, merchantId: string): Promise<AcpMerchant | undefined>
  /** Without an id, finds the first instrument that the agent may use. */
  instrumentFor(
    organizationId: string,
    agentId: string,
    id: string | undefined,
  ): Promise<UsableInstrument | undefined>
  /** Finds the instrument that a checkout began with, even if the agent may no longer use it. */
  instrumentUsed(organizationId: string, id: string): Promise<UsableInstrument | undefined>
}

export interface FlowParts
  extends Pick<PathParts, 'db' | 'gateway' | 'sealer' | 'outbound' | 'now' | 'clock' | 'log'> {
  readonly registry: AcpRegistry
  readonly issuers: Issuers
}

/** The two parties of a checkout, merchant and token provider, ready to be called. */
export interface Desk {
  readonly merchant: AcpMerchant
  readonly version: CheckoutVersion
  readonly instrument: UsableInstrument
  readonly issuer: TokenIssuer
  /** Removes credentials and tokens from the merchant's texts. */
  readonly hide: Hide
}

/** Returns undefined if we do not support the merchant's version. */
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

/** Reads the database on every call, so that a change counts at once. */
export function createRegistry({ db, sealer }: Pick<PathParts, 'db' | 'sealer'>): AcpRegistry {
  const parts = { db, sealer }
  return {
    merchantByHost: (organizationId, host) => findMerchant(parts, organizationId, host),
    merchantById: (organizationId, id) => findMerchantById(parts, organizationId, id),
    merchantByPayee: (organizationId, id) => findMerchantPaidAs(parts, organizationId, id),
    instrumentFor: (organizationId, agentId, id) =>
      findInstrument(parts, organizationId, { id: id ?? null, agentId }),
    instrumentUsed: (organizationId, id) => findUsedInstrument(parts, organizationId, id),
  }
}
