import { isPublished } from './published.ts'

export interface Line {
  readonly itemId: string
  readonly name: string
  readonly quantity: number
  readonly unitMinor: number
  readonly category?: string
}

/** The properties of a checkout that a test sets. */
export interface CheckoutDraft {
  /** The currency code in lower case. */
  readonly currency: string
  readonly lines: readonly Line[]
  /** The delivery fee. */
  readonly deliveryMinor: number
  /** The merchant that receives the payment. */
  readonly merchantId: string
  readonly psp: string
  readonly status: string
  /** Replaces the one default handler. */
  readonly handlers?: readonly object[]
  /** Replaces the totals that follow from the lines. */
  readonly totals?: readonly object[]
  readonly expiresAt?: string
}

export interface Checkout extends CheckoutDraft {
  readonly id: string
  readonly errors: readonly string[]
  readonly order: object | undefined
  readonly needsAuthentication: boolean
}

export const HANDLER_ID = 'card_tokenized'

/** The merchant data that the payer's bank needs. */
const AUTHENTICATION = {
  acquirer_details: {
    acquirer_bin: '412345',
    acquirer_country: 'US',
    acquirer_merchant_id: 'merchant_1',
    merchant_name: 'Stand-in',
  },
  directory_server: 'visa',
  flow_preference: { type: 'challenge' },
}

export function totalOf({ lines, deliveryMinor }: CheckoutDraft): number {
  return lines.reduce((sum, { quantity, unitMinor }) => sum + quantity * unitMinor, deliveryMinor)
}

/** The session as a merchant of this version shows it. */
export function toSession(checkout: Checkout, version: string): object {
  return isPublished(version) ? toCurrent(checkout, version) : toOlder(checkout)
}

function toCurrent(checkout: Checkout, version: string): object {
  const { handlers = [handlerOf(checkout)] } = checkout
  return {
    ...shared(checkout),
    protocol: { version },
    capabilities: { payment: { handlers } },
    line_items: checkout.lines.map((line, index) => ({
      id: `line_${index + 1}`,
      item: { id: line.itemId },
      quantity: line.quantity,
      name: line.name,
      unit_amount: line.unitMinor,
      totals: [entry('total', line.quantity * line.unitMinor)],
      ...(line.category && { category: line.category }),
    })),
    ...(checkout.needsAuthentication && { authentication_metadata: AUTHENTICATION }),
  }
}

function toOlder(checkout: Checkout): object {
  const { psp: provider, merchantId: merchant_id } = checkout
  return {
    ...shared(checkout),
    payment_provider: { provider, merchant_id, supported_payment_methods: ['card'] },
    line_items: checkout.lines.map(({ itemId, quantity, unitMinor }, index) => ({
      id: `line_${index + 1}`,
      item: { id: itemId, quantity },
      base_amount: quantity * unitMinor,
      discount: 0,
      subtotal: quantity * unitMinor,
      tax: 0,
      total: quantity * unitMinor,
    })),
  }
}

function shared(checkout: Checkout): object {
  const { id, status, currency, deliveryMinor, totals, errors, expiresAt, order } = checkout
  const total = totalOf(checkout)
  return {
    id,
    status,
    currency,
    fulfillment_options: [],
    totals: totals ?? [
      entry('subtotal', total - deliveryMinor),
      entry('fulfillment', deliveryMinor),
      entry('total', total),
    ],
    messages: errors.map((code) => ({
      type: 'error',
      code,
      content_type: 'plain',
      content: `It went wrong: ${code}.`,
    })),
    links: [],
    ...(expiresAt && { expires_at: expiresAt }),
    ...(order && { order }),
  }
}

export function entry(type: string, amount: number): object {
  return { type, display_text: type, amount }
}

export function handlerOf({ merchantId, psp }: CheckoutDraft): object {
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
