import { MARK_BYTES } from '../../../storage/secrets/sealed.ts'
import type { SealedValues } from '../../../storage/secrets/sealed-values.ts'
import type { Wallet } from '../payment.ts'

/** Binds a sealed secret to its wallet; the secret does not open for any other purpose. */
export function secretPurpose({
  kind,
  id,
  address,
}: Pick<Wallet, 'kind' | 'id' | 'address'>): string {
  return `wallet:${kind}:${id}:${address}`
}

export function signaturePurpose({ id }: { readonly id: string }): string {
  return `x402-signature:${id}`
}

export function deliveryPurpose({ id }: { readonly id: string }): string {
  return `x402-delivery:${id}`
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const walletSecrets: SealedValues = {
  what: 'wallets.sealed_secret',
  async list(db, organizationId, { after: [id = FIRST_ID], mark, limit }) {
    const rows = await db.query<Pick<Wallet, 'kind' | 'id' | 'address'> & { sealed: Buffer }>({
      text: `
        select id, kind, address, sealed_secret as sealed from wallets
        where organization_id = $1 and id > $2
          and substring(sealed_secret from 1 for ${MARK_BYTES}) <> $3
        order by id limit $4`,
      values: [organizationId, id, mark, limit],
    })
    return rows.map((row) => ({ ...row, place: [row.id], purpose: secretPurpose(row) }))
  },
  replace: (organizationId, { place: [id], sealed: before }, sealed) => ({
    text: `update wallets set sealed_secret = $4
           where organization_id = $1 and id = $2 and sealed_secret = $3`,
    values: [organizationId, id, before, sealed],
  }),
}

function ofPayments(
  column: 'signature' | 'delivery',
  purposeOf: (payment: { readonly id: string }) => string,
): SealedValues {
  return {
    what: `x402_payments.${column}`,
    async list(db, organizationId, { after: [id = FIRST_ID], mark, limit }) {
      const rows = await db.query<{ id: string; sealed: Buffer }>({
        text: `
          select id, ${column} as sealed from x402_payments
          where organization_id = $1 and id > $2
            and substring(${column} from 1 for ${MARK_BYTES}) <> $3
          order by id limit $4`,
        values: [organizationId, id, mark, limit],
      })
      return rows.map((row) => ({ place: [row.id], purpose: purposeOf(row), sealed: row.sealed }))
    },
    replace: (organizationId, { place: [id], sealed: before }, sealed) => ({
      text: `update x402_payments set ${column} = $4
             where organization_id = $1 and id = $2 and ${column} = $3`,
      values: [organizationId, id, before, sealed],
    }),
  }
}

/** All sealed values of this path. */
export const X402_SEALED: readonly SealedValues[] = [
  walletSecrets,
  ofPayments('signature', signaturePurpose),
  ofPayments('delivery', deliveryPurpose),
]
