export interface Purser {
  readonly url: string
  readonly apiKey: string
  readonly agentId: string
}

export interface Purchase {
  readonly url: string
  /** The buyer chooses one key per purchase: however often the purchase is retried, it is paid once. */
  readonly key: string
  /** The limit in USD. */
  readonly maxAmount: number
}

/** The gateway refused. The message is a sentence for people and names the transaction. */
export class NotPaid extends Error {}

const TRIES = 3

/**
 * Everything that an agent needs to buy from any x402 vendor: no wallet key, no chain. It gets a
 * 402 and passes it to the gateway. Then it retries its request with the header that the gateway
 * returns, or learns why not.
 */
export async function buy(purser: Purser, purchase: Purchase): Promise<unknown> {
  const first = await fetch(purchase.url)
  if (first.status !== 402) return goods(first)

  const paymentRequired = first.headers.get('payment-required') ?? (await first.json())
  const { headerName, headerValue } = await askForPayment(purser, purchase, paymentRequired)
  // Sending the same header again is the same payment: the vendor can settle it only once.
  const headers = { [headerName]: headerValue }
  return goods(await repeatedly(() => fetch(purchase.url, { headers })))
}

async function askForPayment(
  { url, apiKey, agentId }: Purser,
  { key, maxAmount, url: resource }: Purchase,
  paymentRequired: unknown,
): Promise<NonNullable<PaymentAnswer['payment']>> {
  const request = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ agentId, url: resource, paymentRequired, maxAmount, category: 'data' }),
  }
  const answer = await repeatedly(() => fetch(`${url}/api/v1/gateway/x402/pay`, request))
  if (!answer.ok) throw new NotPaid(`The gateway answered ${answer.status}: ${await answer.text()}`)
  const { payment, evaluationDetails, transactionId } = (await answer.json()) as PaymentAnswer
  if (!payment) throw new NotPaid(`${evaluationDetails.message} (${transactionId})`)
  return payment
}

interface PaymentAnswer {
  readonly transactionId: string
  readonly evaluationDetails: { readonly message: string }
  readonly payment: { readonly headerName: string; readonly headerValue: string } | null
}

/** Retries until the other side answers with anything but a server error. */
async function repeatedly(send: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; attempt < TRIES; attempt += 1) {
    const answer = await send().catch(() => undefined)
    if (answer && answer.status < 500) return answer
    await new Promise((resolve) => setTimeout(resolve, 500 * attempt))
  }
  return send()
}

async function goods(answer: Response): Promise<unknown> {
  if (!answer.ok) throw new Error(`The vendor answered ${answer.status}.`)
  return answer.json()
}
