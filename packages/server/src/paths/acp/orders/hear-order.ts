import { logEvent } from '../../../base/log/log-event.ts'
import { repeatedTransaction } from '../../../storage/engine/repeated-transaction.ts'
import { bookRefunds } from '../checkout/booking.ts'
import type { AcpCheckout, CheckoutState } from '../checkout/checkout.ts'
import { hidingOf } from '../checkout/secrets.ts'
import type { FlowParts } from '../flow-parts.ts'
import { ACP_LOG_EVENTS } from '../log-events.ts'
import type { AcpMerchant } from '../merchant.ts'
import { lockCheckoutOf, saveCheckout } from '../storage/checkouts.ts'
import { hideIn } from '../versions/hiding.ts'
import { moneyBackOf, type OrderEvent } from '../versions/order-event.ts'

/**
 * Limits the stored digests. Merchants send a handful of events per order; beyond the limit, the
 * oldest are dropped.
 */
const HEARD_MAX = 250
/** Limits the adjustments of one purchase, far above any real number. */
const REFUNDS_MAX = 500

const PAID: readonly CheckoutState[] = ['completed', 'settled']
/**
 * States in which a reported order triggers an immediate check with merchant and token provider.
 */
const WAITING: readonly CheckoutState[] = ['unknown', 'authenticating', 'handed', 'closing']

type OrderParts = Pick<FlowParts, 'db' | 'clock' | 'gateway' | 'log' | 'sealer'>

/**
 * Books an order event of a merchant. Each event contains the whole order, so a repeated or late
 * event changes nothing twice. Each refund counts once, and the sum never exceeds the payment. The
 * same bytes count once, even if other events came in between, because they do not say when they
 * were written (ADR 40).
 */
export async function hearOrder(
  parts: OrderParts,
  organizationId: string,
  merchant: AcpMerchant,
  news: OrderEvent,
  digest: string,
): Promise<void> {
  await repeatedTransaction(parts.db, organizationId, async (tx) => {
    const place = { vendorId: merchant.vendorId, sessionId: news.sessionId }
    const [locked, now] = await Promise.all([
      lockCheckoutOf(tx, organizationId, place),
      parts.clock(tx),
    ])
    // A sender that reports an order that is not ours does not learn that.
    if (!locked || locked.heard.includes(digest)) return
    const event = hideIn(news, hidingOf(parts, locked, merchant))
    const heard = [...locked.heard, digest].slice(-HEARD_MAX)
    const told = withRefunds(parts, { ...locked, heard, order: orderOf(locked, event) }, event)
    const booked = PAID.includes(told.state) ? await bookRefunds(parts, told, { tx, now }) : told
    const nextCheckAt = WAITING.includes(told.state) ? now : told.nextCheckAt
    // Keep the step, so that a process that works on the checkout continues, and sees this change.
    tx.send(saveCheckout({ ...booked, nextCheckAt }))
  })
}

function orderOf({ order }: AcpCheckout, event: OrderEvent): AcpCheckout['order'] {
  const id = event.orderId ?? order?.id
  if (id === undefined) return order
  return {
    id,
    permalinkUrl: event.permalinkUrl ?? order?.permalinkUrl ?? null,
    status: event.status ?? order?.status ?? null,
  }
}

/** Replaces each adjustment by its latest report. A failed adjustment refunds nothing. */
function withRefunds({ log }: OrderParts, checkout: AcpCheckout, event: OrderEvent): AcpCheckout {
  const refunds = new Map(Object.entries(checkout.refunds))
  for (const { id, amount } of moneyBackOf(event, checkout.currency)) {
    const name = `${event.orderId ?? ''}/${id}`
    const isNew = !refunds.has(name)
    if (isNew && amount === 0n) continue
    if (isNew && refunds.size >= REFUNDS_MAX) {
      logEvent(log, ACP_LOG_EVENTS['acp.refunds_truncated'], { id: checkout.id, max: REFUNDS_MAX })
      break
    }
    refunds.set(name, String(amount))
  }
  return { ...checkout, refunds: Object.fromEntries(refunds) }
}
