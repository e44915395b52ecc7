import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable, Tx } from '../../../storage/engine/database.ts'
import type { PaymentKey, X402Payment } from '../payment.ts'

export async function findSignature(
  db: Queryable,
  { organizationId, id }: PaymentKey,
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ signature: Buffer | null }>({
    name: 'find-x402-signature',
    text: 'select signature from x402_payments where organization_id = $1 and id = $2',
    values: [organizationId, id],
  })
  return row?.signature ?? undefined
}

/** The state of a payment's signature. The lock keeps it from changing. */
export interface SignatureState {
  /** The sealed signature. Null if none was handed out. */
  readonly signature: Buffer | null
  /** Whether the payment is open. An ended payment must not be signed. */
  readonly isHeld: boolean
}

/**
 * Locks a payment and reads its signature. Every lock of a payment comes before the locks of the
 * spender. Returns undefined if there is no such payment.
 */
export async function lockSignature(
  tx: Tx,
  { organizationId, id }: PaymentKey,
): Promise<SignatureState | undefined> {
  const [row] = await tx.query<SignatureState>({
    name: 'lock-x402-signature',
    text: `select signature, state = 'held' as "isHeld"
           from x402_payments where organization_id = $1 and id = $2 for update`,
    values: [organizationId, id],
  })
  return row
}

/** Stores the signature before it leaves the gateway. The caller holds the lock. */
export async function storeSignature(
  tx: Tx,
  { organizationId, id }: PaymentKey,
  sealed: Buffer,
  at: Instant,
): Promise<void> {
  await tx.query({
    name: 'store-x402-signature',
    text: `update x402_payments set signature = $3, handed_out_at = $4
           where organization_id = $1 and id = $2`,
    values: [organizationId, id, sealed, toIso(at)],
  })
}

/**
 * Locks the wallet, so that its payments are signed one after the other. Returns the sum that
 * earlier payments may have taken out of the wallet since its balance was read: signed payments
 * that are still open, and payments booked as spent since then. Payments that are not signed yet
 * come later, and will count this one.
 */
export async function lockPromised(
  tx: Tx,
  { organizationId, id, walletId, network, asset }: X402Payment,
  since: Instant,
): Promise<bigint> {
  const lock = tx.query({
    name: 'lock-wallet',
    text: 'select 1 from wallets where organization_id = $1 and id = $2 for no key update',
    values: [organizationId, walletId],
  })
  const sum = tx.query<{ sum: string }>({
    name: 'sum-promised-x402-payments',
    text: `
      select ((
        select coalesce(sum(value), 0) from x402_payments
        where organization_id = $1 and wallet_id = $2 and network = $3 and asset = $4 and id <> $5
          and state = 'held' and handed_out_at is not null
      ) + (
        select coalesce(sum(value), 0) from x402_payments
        where organization_id = $1 and wallet_id = $2 and network = $3 and asset = $4 and id <> $5
          and state = 'settled' and ended_at >= $6
      ))::text as sum`,
    values: [organizationId, walletId, network, asset, id, toIso(since)],
  })
  const [, [row]] = await Promise.all([lock, sum])
  return BigInt(row?.sum ?? '0')
}
