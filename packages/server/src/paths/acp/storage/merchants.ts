import type { Queryable, Statement } from '../../../storage/engine/database.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import type { AcpMerchant } from '../merchant.ts'
import type { AcpEntry } from '../registry/acp-entry.ts'
import { merchantPurpose } from './sealed-values.ts'

interface MerchantParts {
  readonly db: Queryable
  readonly sealer: Sealer
}

const COLUMNS = `
  id as "vendorId", host, category, acp, acp_credential as credential,
  acp_webhook_secret as "webhookSecret"`

interface Row extends SealedSecrets {
  readonly vendorId: string
  readonly host: string
  readonly category: string | null
  readonly acp: AcpEntry
}

/**
 * Finds a merchant by its host. Returns undefined if the directory has no entry for the host, or
 * one without ACP.
 */
export async function findMerchant(
  { db, sealer }: MerchantParts,
  organizationId: string,
  host: string,
): Promise<AcpMerchant | undefined> {
  const [row] = await db.query<Row>({
    text: `select ${COLUMNS} from vendors
           where organization_id = $1 and host = $2 and acp is not null`,
    values: [organizationId, host],
  })
  return row && openMerchant(sealer, organizationId, row)
}

/** Finds the merchant of a checkout, or of the token of an order URL. */
export async function findMerchantById(
  { db, sealer }: MerchantParts,
  organizationId: string,
  vendorId: string,
): Promise<AcpMerchant | undefined> {
  const [row] = await db.query<Row>({
    text: `select ${COLUMNS} from vendors
           where organization_id = $1 and id = $2 and acp is not null`,
    values: [organizationId, vendorId],
  })
  return row && openMerchant(sealer, organizationId, row)
}

/**
 * Finds the merchant with this payee id. Returns undefined if several merchants have it, because it
 * is then unclear which one is meant.
 */
export async function findMerchantPaidAs(
  { db, sealer }: MerchantParts,
  organizationId: string,
  merchantId: string,
): Promise<AcpMerchant | undefined> {
  const [row, another] = await db.query<Row>({
    text: `select ${COLUMNS} from vendors
           where organization_id = $1 and acp is not null
             and acp -> 'merchantIds' @> to_jsonb($2::text) limit 2`,
    values: [organizationId, merchantId],
  })
  return row && !another ? openMerchant(sealer, organizationId, row) : undefined
}

function openMerchant(sealer: Sealer, organizationId: string, row: Row): AcpMerchant {
  const { vendorId, host, category, acp, credential, webhookSecret } = row
  const { apiBaseUrl, version, merchantIds, profileId, handler = null } = acp
  const open = (secret: 'credential' | 'webhook_secret', sealed: Buffer): string =>
    sealer.open(organizationId, merchantPurpose(vendorId, secret), sealed)
  return {
    vendorId,
    host,
    category,
    apiBaseUrl,
    version,
    merchantIds,
    profileId,
    handler,
    credential: open('credential', credential),
    webhookSecret: webhookSecret && open('webhook_secret', webhookSecret),
  }
}

export interface SealedSecrets {
  readonly credential: Buffer
  readonly webhookSecret: Buffer | null
}

export async function findMerchantSecrets(
  db: Queryable,
  organizationId: string,
  vendorId: string,
): Promise<SealedSecrets | undefined> {
  const [secrets] = await db.query<SealedSecrets>({
    text: `select acp_credential as credential, acp_webhook_secret as "webhookSecret" from vendors
           where organization_id = $1 and id = $2 and acp is not null`,
    values: [organizationId, vendorId],
  })
  return secrets
}

/**
 * Stores the ACP settings of a vendor; null removes them. The caller holds the lock of the entry.
 */
export function updateMerchant(
  organizationId: string,
  vendorId: string,
  merchant: (SealedSecrets & { readonly entry: AcpEntry }) | null,
): Statement {
  return {
    text: `update vendors set acp = $3, acp_credential = $4, acp_webhook_secret = $5
           where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      vendorId,
      merchant && JSON.stringify(merchant.entry),
      merchant?.credential ?? null,
      merchant?.webhookSecret ?? null,
    ],
  }
}
