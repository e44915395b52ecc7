import { randomUUID } from 'node:crypto'

export interface Purser {
  readonly url: string
  readonly apiKey: string
  readonly agentId: string
}

/**
 * What an agent needs to buy from any x402 vendor: no key, no wallet, no chain. It meets a 402, hands it
 * to the gateway, and repeats its request with the header it is given, or learns why not.
 */
export async function buy(purser: Purser, url: string): Promise<unknown> {
  const first = await fetch(url)
  if (first.status !== 402) return first.json()

  const paymentRequired = first.headers.get('payment-required') ?? (await first.json())
  const decision = await askForPayment(purser, { url, paymentRequired })
  if (decision.decision === 'rejected') {
    throw new Error(`Not paid: ${decision.evaluationDetails.message}`)
  }
  const { headerName, headerValue } = decision.payment
  const paid = await fetch(url, { headers: { [headerName]: headerValue } })
  if (!paid.ok) throw new Error(`The vendor answered ${paid.status}.`)
  return paid.json()
}

interface PaymentAnswer {
  readonly decision: 'approved' | 'rejected'
  readonly evaluationDetails: { readonly message: string }
  readonly payment: { readonly headerName: string; readonly headerValue: string }
}

/** One key for each purchase: should this have to be repeated, it is still paid only once. */
async function askForPayment(
  { url, apiKey, agentId }: Purser,
  offer: { readonly url: string; readonly paymentRequired: unknown },
): Promise<PaymentAnswer> {
  const answer = await fetch(`${url}/api/v1/gateway/x402/pay`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ agentId, category: 'data', ...offer }),
  })
  if (!answer.ok) throw new Error(`The gateway answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as PaymentAnswer
}
