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

/** Shops tell of an order a handful of times. Of more than this, the oldest are forgotten. */
const HEARD_MAX = 250
/** More adjustments of one purchase than anybody makes. */
const REFUNDS_MAX = 500

const PAID: readonly CheckoutState[] = ['completed', 'settled']
/** Points at which an order is news: then merchant and issuer are asked at once. */
const WAITING: readonly CheckoutState[] = ['unknown', 'authenticating', 'handed', 'closing']

type OrderParts = Pick<FlowParts, 'db' | 'clock' | 'gateway' | 'log' | 'sealer'>

/**
 * Books what a merchant tells of an order: always all of it, so that the same news twice, or old news
 * after new, changes nothing twice. Refunds count once each, and never beyond what was paid. Bytes that
 * were heard before are no news, whatever was told since: nothing in them says when they were written.
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
    // Whoever tells of something that is not ours learns nothing of that.
    if (!locked || locked.heard.includes(digest)) return
    const event = hideIn(news, hidingOf(parts, locked, merchant))
    const heard = [...locked.heard, digest].slice(-HEARD_MAX)
    const told = withRefunds(parts, { ...locked, heard, order: orderOf(locked, event) }, event)
    const booked = PAID.includes(told.state) ? await bookRefunds(parts, told, { tx, now }) : told
    const nextCheckAt = WAITING.includes(told.state) ? now : told.nextCheckAt
    // The step stays: whoever works on the checkout goes on, and sees this.
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

/** Each adjustment in the place of what was told of it before; one that failed gives nothing back. */
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
