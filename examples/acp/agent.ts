export interface Purser {
  readonly url: string
  readonly apiKey: string
  readonly agentId: string
}

export interface Purchase {
  /** The host of the shop, as in the gateway's vendor directory. */
  readonly vendor: string
  /** The checkout session that the agent has filled at the shop, until it is `ready_for_payment`. */
  readonly checkoutSessionId: string
  /** The buyer chooses one key per purchase: however often the purchase is retried, it is paid once. */
  readonly key: string
}

export interface Receipt {
  readonly transactionId: string
  readonly amount: number
  readonly order: { readonly id: string; readonly permalinkUrl: string | null } | null
}

/** Nothing was bought. The message is a sentence for people and names the transaction. */
export class NotBought extends Error {}

const TRIES = 3
const LOOKS = 120
const WAIT_MS = 500

/**
 * Everything that an agent needs to buy at any shop that supports ACP: no card, no token, no
 * credential of the shop. It names the session; the gateway looks up the price, and pays or says
 * why not.
 */
export async function buy(purser: Purser, purchase: Purchase): Promise<Receipt> {
  const { agentId } = purser
  const { vendor, checkoutSessionId, key } = purchase
  const answer = await call<CheckoutAnswer>(purser, '/gateway/acp/checkouts', {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: JSON.stringify({ agentId, vendor, checkoutSessionId }),
  })
  const { transactionId, amount, status, order, failure, evaluationDetails } = answer
  if (answer.decision === 'rejected') {
    throw new NotBought(`${evaluationDetails.message} (${transactionId})`)
  }
  if (status === 'completed') return { transactionId, amount, order }
  if (status === 'processing') return waitFor(purser, transactionId)
  if (status === 'failed')
    throw new NotBought(`It failed with ${failure?.code}, and nothing was paid. (${transactionId})`)
  // A person has to authenticate with the bank first. This agent has no such person, so it gives
  // up.
  await call(purser, '/gateway/acp/checkouts', {
    method: 'POST',
    headers: { 'idempotency-key': `${key}-cancel` },
    body: JSON.stringify({ transactionId, cancel: true }),
  })
  throw new NotBought(`It needs a person. (${transactionId})`)
}

interface CheckoutAnswer {
  readonly transactionId: string
  readonly decision: 'approved' | 'rejected'
  readonly amount: number
  readonly status: string
  readonly failure: { readonly code: string; readonly retryable: boolean } | null
  readonly order: Receipt['order']
  readonly evaluationDetails: { readonly message: string }
}

/** The gateway finds the outcome of a purchase that was still open when the gateway answered. */
async function waitFor(purser: Purser, transactionId: string): Promise<Receipt> {
  for (let look = 0; look < LOOKS; look += 1) {
    const transaction = await call<TransactionAnswer>(purser, `/transactions/${transactionId}`)
    const { status, settledAmount, external } = transaction
    if (status === 'settled') {
      return { transactionId, amount: settledAmount, order: external?.order ?? null }
    }
    if (status !== 'held') throw new NotBought(`Nothing was paid. (${transactionId})`)
    await pause(WAIT_MS)
  }
  throw new Error(`Nobody knows yet whether ${transactionId} was paid. Look again later.`)
}

interface TransactionAnswer {
  readonly status: string
  readonly settledAmount: number
  readonly external: { readonly order?: Receipt['order'] } | null
}

/** Retries until the gateway answers with anything but a server error. */
async function call<Answer>(purser: Purser, path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${purser.apiKey}`,
    'content-type': 'application/json',
    ...init.headers,
  }
  const send = () => fetch(`${purser.url}/api/v1${path}`, { ...init, headers })
  const answer = await repeatedly(send)
  if (answer.ok) return (await answer.json()) as Answer
  const said = `The gateway answered ${answer.status}: ${await answer.text()}`
  // After a server error the purchase may have been made: retry it with the same key.
  throw answer.status < 500 ? new NotBought(said) : new Error(said)
}

async function repeatedly(send: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; attempt < TRIES; attempt += 1) {
    const answer = await send().catch(() => undefined)
    if (answer && answer.status < 500) return answer
    await pause(WAIT_MS * attempt)
  }
  return send()
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
