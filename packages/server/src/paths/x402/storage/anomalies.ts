import type { Queryable, Statement } from '../../../storage/engine/database.ts'
import type { PaymentState, X402Payment } from '../payment.ts'

/**
 * Keeps the first receipt, and returns the state of the payment. While the payment is held, the
 * process that ends it compares the receipt with the chain. If the payment has already ended, the
 * caller must compare.
 */
export async function storeReceipt(
  db: Queryable,
  { organizationId, id }: X402Payment,
  receipt: string,
): Promise<PaymentState | undefined> {
  const [row] = await db.query<{ state: PaymentState }>({
    name: 'store-x402-receipt',
    text: `update x402_payments set receipt = coalesce(receipt, $3)
           where organization_id = $1 and id = $2 returning state`,
    values: [organizationId, id, receipt],
  })
  return row?.state
}

/**
 * Stores the anomalies of a payment. The caller holds its lock. The other fields of the
 * transaction's `external` stay.
 */
export function storeAnomalies({ organizationId, id, anomalies }: X402Payment): Statement {
  return {
    name: 'store-x402-anomalies',
    text: `
      with noted as (
        update x402_payments set anomalies = $3::jsonb where organization_id = $1 and id = $2
      )
      update transactions set external = external || jsonb_build_object('anomalies', $3::jsonb)
      where organization_id = $1 and id = $2`,
    values: [organizationId, id, JSON.stringify(anomalies)],
  }
}
