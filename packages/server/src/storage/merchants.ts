import type { AcpEntry } from '../core/acp-entry.ts'
import type { Queryable, Statement } from './engine/database.ts'
import { MARK_BYTES } from './secrets/sealed.ts'
import type { SealedValues } from './secrets/sealed-values.ts'

/** What a vendor that speaks ACP knows us by, and what it signs its orders with. */
export type MerchantSecret = 'credential' | 'webhook_secret'

/** Names what a secret belongs to; a sealed one does not open for anything else. */
export function merchantPurpose(vendorId: string, secret: MerchantSecret): string {
  return `acp-merchant:${vendorId}:${secret}`
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

/** Null: the vendor does not speak the protocol. The caller holds the lock of the entry. */
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

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

function ofMerchants(secret: MerchantSecret): SealedValues {
  return {
    what: `vendors.acp_${secret}`,
    async list(db, organizationId, { after: [id = FIRST_ID], mark, limit }) {
      const rows = await db.query<{ id: string; sealed: Buffer }>({
        text: `
          select id, acp_${secret} as sealed from vendors
          where organization_id = $1 and id > $2 and acp is not null
            and substring(acp_${secret} from 1 for ${MARK_BYTES}) <> $3
          order by id limit $4`,
        values: [organizationId, id, mark, limit],
      })
      return rows.map((row) => ({
        place: [row.id],
        purpose: merchantPurpose(row.id, secret),
        sealed: row.sealed,
      }))
    },
    replace: (organizationId, { place: [id], sealed: before }, sealed) => ({
      text: `update vendors set acp_${secret} = $4
             where organization_id = $1 and id = $2 and acp_${secret} = $3`,
      values: [organizationId, id, before, sealed],
    }),
  }
}

/** The secrets of all vendors that speak ACP. */
export const MERCHANT_SECRETS: readonly SealedValues[] = (
  ['credential', 'webhook_secret'] as const
).map(ofMerchants)
