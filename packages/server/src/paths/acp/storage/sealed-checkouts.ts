import { MARK_BYTES } from '../../../storage/secrets/sealed.ts'
import type { SealedValues } from '../../../storage/secrets/sealed-values.ts'

/** Names the checkout that sealed secrets belong to. They do not open for another one. */
export function checkoutPurpose({ id }: { readonly id: string }): string {
  return `acp-checkout:${id}`
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Tokens, buyers and addresses of open checkouts. */
export const SEALED_CHECKOUTS: SealedValues = {
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
