import { randomBytes } from 'node:crypto'
import type { Asked, StandIn, Told } from './server.ts'

/** The version of the Agentic Commerce Protocol that the shop speaks. */
export const ACP_VERSION = '2026-04-17'
const HANDLER_ID = 'card_tokenized'

export interface Line {
  readonly name: string
  readonly quantity: number
  /** The price of one, in cents. */
  readonly unitMinor: number
}

/** The secrets of the shop and of its payment provider, made at the first start. */
export interface ShopSecrets {
  readonly shopCredential: string
  readonly providerCredential: string
  readonly merchantId: string
}

/** A shop that speaks ACP, and the token provider that it is paid through. */
export interface ShopStandIn {
  readonly shop: StandIn
  readonly provider: StandIn
  /** Fills a checkout session, as an agent would, and returns its id. */
  fill(lines: readonly Line[], isDeclined?: boolean): string
}

interface Session {
  readonly lines: readonly Line[]
  /** The payment provider declines the payment. */
  readonly isDeclined: boolean
  status: 'ready_for_payment' | 'completed' | 'canceled'
  errors: readonly string[]
  orderId: string | undefined
}

const DELIVERY_MINOR = 490
const SESSION = /^\/checkout_sessions\/([^/]+)(?:\/(complete|cancel))?$/

export function createShop(secrets: ShopSecrets, host: string): ShopStandIn {
  const sessions = new Map<string, Session>()

  function show(id: string, session: Session): Told {
    return { status: 200, body: toSession(id, session, secrets.merchantId, host) }
  }

  function act(id: string, session: Session, action: string | undefined): Told {
    if (action === 'cancel') session.status = 'canceled'
    if (action !== 'complete' || session.status !== 'ready_for_payment') return show(id, session)
    if (session.isDeclined) session.errors = ['payment_declined']
    else {
      session.status = 'completed'
      session.orderId = `PW-${10_000 + (Number.parseInt(id.slice(-4), 16) % 90_000)}`
    }
    return show(id, session)
  }

  return {
    shop(asked) {
      if (!isKnown(asked, secrets.shopCredential)) return refuse(401, 'unauthorized')
      const [, id = '', action] = SESSION.exec(asked.path) ?? []
      const session = sessions.get(id)
      return session ? act(id, session, action) : refuse(404, 'not_found')
    },
    provider(asked) {
      if (!isKnown(asked, secrets.providerCredential)) return refuse(401, 'unauthorized')
      if (asked.path !== '/agentic_commerce/delegate_payment') return refuse(404, 'not_found')
      const { allowance, metadata } = asked.body
      const { expires_at: created } = allowance as { readonly expires_at: string }
      const id = `vt_${randomBytes(12).toString('hex')}`
      return { status: 201, body: { id, created, metadata } }
    },
    fill(lines, isDeclined = false) {
      const id = `cs_${randomBytes(8).toString('hex')}`
      const status = 'ready_for_payment'
      sessions.set(id, { lines, isDeclined, status, errors: [], orderId: undefined })
      return id
    },
  }
}

function isKnown({ headers }: Asked, credential: string): boolean {
  return headers.authorization === `Bearer ${credential}`
}

function refuse(status: number, code: string): Told {
  const type = 'invalid_request'
  return { status, body: { type, code, message: `The stand-in refuses: ${code}.` } }
}

function toSession(
  id: string,
  { lines, status, errors, orderId }: Session,
  merchantId: string,
  host: string,
): object {
  const goods = lines.reduce((sum, { quantity, unitMinor }) => sum + quantity * unitMinor, 0)
  const permalink_url = `https://${host}/orders/${orderId}`
  const order = { id: orderId, checkout_session_id: id, permalink_url, status: 'confirmed' }
  return {
    id,
    status,
    currency: 'usd',
    protocol: { version: ACP_VERSION },
    capabilities: { payment: { handlers: [handlerOf(merchantId)] } },
    line_items: lines.map(({ name, quantity, unitMinor }, index) => ({
      id: `line_${index + 1}`,
      item: { id: name.toLowerCase().replaceAll(' ', '-') },
      name,
      quantity,
      unit_amount: unitMinor,
      totals: [entry('total', quantity * unitMinor)],
    })),
    fulfillment_options: [],
    totals: [
      entry('subtotal', goods),
      entry('fulfillment', DELIVERY_MINOR),
      entry('total', goods + DELIVERY_MINOR),
    ],
    messages: errors.map((code) => ({
      type: 'error',
      code,
      content_type: 'plain',
      content: 'The payment was declined.',
    })),
    links: [],
    ...(orderId !== undefined && { order }),
  }
}

function entry(type: string, amount: number): object {
  return { type, display_text: type, amount }
}

function handlerOf(merchantId: string): object {
  const psp = 'demo-provider'
  return {
    id: HANDLER_ID,
    name: 'dev.acp.tokenized.card',
    version: '2026-01-22',
    spec: 'https://acp.dev/handlers/tokenized.card',
    requires_delegate_payment: true,
    requires_pci_compliance: false,
    psp,
    config_schema: 'https://acp.dev/schemas/handlers/tokenized.card/config.json',
    instrument_schemas: ['https://acp.dev/schemas/handlers/tokenized.card/instrument.json'],
    config: { merchant_id: merchantId, psp },
  }
}
