import type { AcpEntry } from '../core/acp-entry.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable, Statement } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'
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

/** Holds of a merchant whose payment token is over, and of which nobody has said what became of them. */
export interface MerchantHealth {
  readonly vendorId: string
  readonly heldPastEnd: bigint
  readonly oldestTokenEnd: Instant
}

/** Merchants without such holds have no row. */
export function listMerchantHealth(
  db: Queryable,
  organizationId: string,
  vendorIds: readonly string[],
  endedBefore: Instant,
): Promise<MerchantHealth[]> {
  return db.query<MerchantHealth>({
    name: 'list-merchant-health',
    text: `
      select vendor_id as "vendorId", count(*) as "heldPastEnd", min(token_ends_at) as "oldestTokenEnd"
      from acp_checkouts
      where organization_id = $1 and vendor_id = any($2::uuid[]) and next_check_at is not null
        and token_ends_at <= $3
      group by vendor_id`,
    values: [organizationId, plainArray(vendorIds), toIso(endedBefore)],
  })
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
