import { MARK_BYTES } from '../../../storage/secrets/sealed.ts'
import type { SealedValues } from '../../../storage/secrets/sealed-values.ts'

/** Binds sealed secrets to their checkout. They do not open for any other. */
export function checkoutPurpose({ id }: { readonly id: string }): string {
  return `acp-checkout:${id}`
}

/** The credential that we send to a merchant, and the secret that signs its orders. */
export type MerchantSecret = 'credential' | 'webhook_secret'

/** Binds a sealed secret to its merchant. It does not open for any other purpose. */
export function merchantPurpose(vendorId: string, secret: MerchantSecret): string {
  return `acp-merchant:${vendorId}:${secret}`
}

/** Binds a sealed credential to its instrument. It does not open for any other purpose. */
export function instrumentPurpose(id: string): string {
  return `acp-instrument:${id}`
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Tokens, buyers and addresses of open checkouts. */
const checkoutSecrets: SealedValues = {
  what: 'acp_checkouts.sealed',
  async list(db, organizationId, { after: [id = FIRST_ID], mark, limit }) {
    const rows = await db.query<{ id: string; sealed: Buffer }>({
      text: `
        select id, sealed from acp_checkouts
        where organization_id = $1 and id > $2
          and substring(sealed from 1 for ${MARK_BYTES}) <> $3
        order by id limit $4`,
      values: [organizationId, id, mark, limit],
    })
    return rows.map((row) => ({
      place: [row.id],
      purpose: checkoutPurpose(row),
      sealed: row.sealed,
    }))
  },
  replace: (organizationId, { place: [id], sealed: before }, sealed) => ({
    text: `update acp_checkouts set sealed = $4
           where organization_id = $1 and id = $2 and sealed = $3`,
    values: [organizationId, id, before, sealed],
  }),
}

/** The credentials for creating payment tokens. */
const instrumentCredentials: SealedValues = {
  what: 'acp_instruments.credential',
  async list(db, organizationId, { after: [id = ''], mark, limit }) {
    const rows = await db.query<{ id: string; sealed: Buffer }>({
      text: `
        select id, credential as sealed from acp_instruments
        where organization_id = $1 and id > $2
          and substring(credential from 1 for ${MARK_BYTES}) <> $3
        order by id limit $4`,
      values: [organizationId, id, mark, limit],
    })
    return rows.map((row) => ({
      place: [row.id],
      purpose: instrumentPurpose(row.id),
      sealed: row.sealed,
    }))
  },
  replace: (organizationId, { place: [id], sealed: before }, sealed) => ({
    text: `update acp_instruments set credential = $4
           where organization_id = $1 and id = $2 and credential = $3`,
    values: [organizationId, id, before, sealed],
  }),
}

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

/** All sealed values of this path. */
export const ACP_SEALED: readonly SealedValues[] = [
  checkoutSecrets,
  instrumentCredentials,
  ofMerchants('credential'),
  ofMerchants('webhook_secret'),
]
