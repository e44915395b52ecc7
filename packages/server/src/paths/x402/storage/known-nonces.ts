import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import type { WalletAddress } from './wallets.ts'

/**
 * Reads the nonces of a wallet's payments that may have moved money: the open ones, and those that
 * were settled since then.
 */
export async function readKnownNonces(
  db: Queryable,
  { organizationId, id }: WalletAddress,
  since: Instant,
): Promise<string[]> {
  const rows = await db.query<{ nonce: string }>({
    text: `
      select nonce from x402_payments
      where organization_id = $1 and wallet_id = $2 and state = 'held'
      union all
      select nonce from x402_payments
      where organization_id = $1 and wallet_id = $2 and state = 'settled' and ended_at >= $3`,
    values: [organizationId, id, toIso(since)],
  })
  return rows.map(({ nonce }) => nonce)
}

/**
 * Reads the height that the chain had before an organization's newest payment. Null if it has none
 * on this network, or if the height was not known.
 */
export async function readNewestHeight(
  db: Queryable,
  organizationId: string,
  network: string,
): Promise<bigint | null> {
  const [row] = await db.query<{ height: bigint | null }>({
    text: `select from_block as height from x402_payments
           where organization_id = $1 and network = $2 order by id desc limit 1`,
    values: [organizationId, network],
  })
  return row?.height ?? null
}
