import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable, Tx } from '../../../storage/engine/database.ts'
import type { X402Payment } from '../payment.ts'

type PaymentKey = Pick<X402Payment, 'organizationId' | 'id'>

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

/** What has become of the signature of a payment, as nobody else can change it meanwhile. */
export interface SignatureState {
  /** Sealed; null if none was handed out. */
  readonly signature: Buffer | null
  /** The payment was given back, and must not be made. */
  readonly isGivenBack: boolean
}

/**
 * Taken before the locks of the spender, as every lock of a payment is. Undefined: there is no such
 * payment.
 */
export async function lockSignature(
  tx: Tx,
  { organizationId, id }: PaymentKey,
): Promise<SignatureState | undefined> {
  const [row] = await tx.query<SignatureState>({
    name: 'lock-x402-signature',
    text: `select signature, proof is not distinct from 'unsigned' as "isGivenBack"
           from x402_payments where organization_id = $1 and id = $2 for update`,
    values: [organizationId, id],
  })
  return row
}

/** Called before anybody gets the signature. The caller holds the lock. */
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
