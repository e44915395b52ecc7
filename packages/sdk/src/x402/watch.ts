import { decodeBase64, encodeBase64 } from '../base/bytes.ts'
import { randomId } from '../base/random-id.ts'
import { PurserError } from '../client/errors.ts'

/** A 402 that a watched `fetch` received. */
export interface SeenOffer {
  /** The address that answered with the 402. Its origin is that of the requested address. */
  readonly url: string
  /** The method of the request. */
  readonly method: string
  /** The header or body of the 402, unchanged. */
  readonly paymentRequired: string
  readonly accepts: readonly unknown[]
  /** Each 402 is one purchase, so all attempts to pay it share this key. */
  readonly idempotencyKey: string
}

/** A `fetch`, and the 402 responses that it received. */
export interface OfferWatch {
  readonly fetch: typeof globalThis.fetch
  /** Returns undefined for a 402 that this `fetch` did not receive. */
  find(paymentRequired: object): SeenOffer | undefined
}

/**
 * The field that names a seen 402. It is not part of x402, so the stock client keeps it in the
 * document and never sends it to a vendor.
 */
const MARK = 'purserSeen'
/** The oldest are forgotten, and can then no longer be paid. */
const SEEN_MAX = 1_000
/** The gateway accepts no longer document. */
const LENGTH_MAX = 65_536

/**
 * Remembers which address answered with which 402. A 402 can claim to come from any address, and a
 * second vendor can send a copy of it. So each one gets a random mark, by which it is found again.
 */
export function watchOffers(
  inner: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init),
): OfferWatch {
  const seen = new Map<string, SeenOffer>()

  function remember(offer: SeenOffer): string {
    const mark = randomId()
    seen.set(mark, offer)
    const [oldest] = seen.keys()
    if (seen.size > SEEN_MAX && oldest !== undefined) seen.delete(oldest)
    return mark
  }

  return {
    async fetch(input, init) {
      const response = await inner(input, init)
      // Without an address, a redirect could have led to any host. Such a 402 is not paid.
      if (response.status !== 402 || response.url === '') return response
      const given = typeof input === 'object' && 'method' in input ? input.method : 'GET'
      const place = { url: response.url, method: (init?.method ?? given).toUpperCase() }
      return markOffer(response, (document) => {
        requireSameOrigin(input, response.url)
        return remember({ ...place, ...document, idempotencyKey: randomId() })
      })
    },
    find(paymentRequired) {
      const { [MARK]: mark } = paymentRequired as { [MARK]?: unknown }
      return typeof mark === 'string' ? seen.get(mark) : undefined
    },
  }
}

/**
 * The stock client sends the payment to the requested address, and not to the target of a redirect.
 * A vendor could otherwise redirect to a host that the mandate allows, and receive its payment.
 */
function requireSameOrigin(input: string | URL | Request, answeredBy: string): void {
  const requested = originOf(typeof input === 'object' && 'url' in input ? input.url : `${input}`)
  const answered = originOf(answeredBy)
  if (requested !== undefined && requested === answered) return
  throw new PurserError(
    `${requested ?? 'The requested address'} redirected to ${answered}, which answered with a 402. The payment would go to the first address, and the second one would be judged. Nothing was signed. Request the second address directly if you trust it.`,
    { code: 'x402_redirected' },
  )
}

/** A page can request a relative address. */
function originOf(url: string): string | undefined {
  const { location } = globalThis as { location?: { readonly href: string } }
  return URL.canParse(url, location?.href) ? new URL(url, location?.href).origin : undefined
}

type OfferDocument = Pick<SeenOffer, 'paymentRequired' | 'accepts'>

/** Marks the document where the stock client reads it: in the header, or else in the body. */
async function markOffer(
  response: Response,
  remember: (document: OfferDocument) => string,
): Promise<Response> {
  const header = response.headers.get('payment-required')
  const source = header ?? (await response.text())
  const document = parse(header === null ? source : decode(header))
  const isOffer = Array.isArray(document?.['accepts']) && source.length <= LENGTH_MAX
  const headers = new Headers(response.headers)
  if (!document || !isOffer)
    return copyOf(response, header === null ? source : response.body, headers)
  const accepts = document['accepts'] as unknown[]
  const mark = remember({ paymentRequired: source, accepts })
  const marked = JSON.stringify({ ...document, [MARK]: mark })
  if (header === null) {
    headers.delete('content-length')
    return copyOf(response, marked, headers)
  }
  headers.set('payment-required', encodeBase64(new TextEncoder().encode(marked)))
  return copyOf(response, response.body, headers)
}

function copyOf(
  { status, statusText, url, redirected }: Response,
  body: Response['body'] | string,
  headers: Headers,
): Response {
  const copy = new Response(body, { status, statusText, headers })
  return Object.defineProperties(copy, { url: { value: url }, redirected: { value: redirected } })
}

function decode(header: string): string {
  return new TextDecoder().decode(decodeBase64(header))
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRecord ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
