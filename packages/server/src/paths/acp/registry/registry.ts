import type { PathParts } from '../../path.ts'
import type { AcpRegistry } from '../flow-parts.ts'
import { findInstrument, findUsedInstrument } from '../storage/instruments.ts'
import { findMerchant, findMerchantById, findMerchantPaidAs } from '../storage/merchants.ts'

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
