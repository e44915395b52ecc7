import { createHmac } from 'node:crypto'
import { type Checkout, entry, totalOf } from './checkout-session.ts'

/** The content of a merchant's order event. */
export interface OrderNews {
  readonly status?: string
  readonly adjustments?: readonly object[]
  /** Replaces the order that belongs to the checkout. */
  readonly order?: object
  /** The secret to sign with, instead of its own. */
  readonly secret?: string
  /** The time of the signature. */
  readonly atMs?: number
}

/** A completed refund, as a merchant's order lists it. */
export function refundOf(id: string, amount: number, changes: object = {}): object {
  const occurred_at = '2026-11-16T00:00:00Z'
  return { id, type: 'refund', occurred_at, status: 'completed', amount, ...changes }
}

/** The whole order, as the protocol requires, signed. */
export function signedOrder(
  ownSecret: string,
  checkout: Checkout,
  {
    status = 'confirmed',
    adjustments = [],
    order,
    secret = ownSecret,
    atMs = Date.now(),
  }: OrderNews,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const data = order ?? {
    ...checkout.order,
    type: 'order',
    status,
    adjustments,
    totals: [entry('total', totalOf(checkout))],
  }
  const body = JSON.stringify({ type: 'order_update', data })
  const seconds = Math.floor(atMs / 1_000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'merchant-signature': `t=${seconds},v1=${signature}`,
    },
  }
}

/** Posts it, and returns the status of the answer. */
export async function sendOrder(
  url: string,
  ownSecret: string,
  checkout: Checkout,
  news: OrderNews,
): Promise<number> {
  const answer = await fetch(url, { method: 'POST', ...signedOrder(ownSecret, checkout, news) })
  await answer.arrayBuffer()
  return answer.status
}
