import { entriesOf, type Fields, fieldsOf, readId } from './merchant-text.ts'
import type { ReadHandlers, SessionHandler } from './version.ts'

const HANDLERS_MAX = 50
const SELLER_BACKED = /\bseller_backed\b/

/**
 * Reads the payment handlers of versions from 2026-01-30 on. Leaves out those that cannot be read.
 */
export function readHandlers(session: Fields): ReadHandlers {
  const { payment } = fieldsOf(session['capabilities'])
  const { handlers: named = [] } = fieldsOf(payment)
  const handlers = entriesOf(named, HANDLERS_MAX).flatMap((entry) => readHandler(fieldsOf(entry)))
  // A completion names only the id, so with a duplicate id the wrong handler could be paid.
  const ids = handlers.map(({ id }) => id)
  return {
    handlers: handlers.filter(({ id }) => ids.indexOf(id) === ids.lastIndexOf(id)),
    // Unreadable handlers do not count as none.
    isWithoutHandlers: Array.isArray(named) && named.length === 0,
  }
}

function readHandler(handler: Fields): SessionHandler[] {
  const id = readId(handler['id'])
  const name = readId(handler['name'])
  const psp = readId(handler['psp'])
  if (id === null || name === null || psp === null) return []
  return [
    {
      id,
      name,
      psp,
      merchantId: readId(fieldsOf(handler['config'])['merchant_id']),
      needsDelegatedToken: handler['requires_delegate_payment'] === true,
      // A handler that does not declare that it works without card data may need it.
      needsCardData: handler['requires_pci_compliance'] !== false,
      isSellerBacked: SELLER_BACKED.test(name),
    },
  ]
}

/**
 * Reads the single payment provider of earlier versions. The first of them does not name the payee:
 * it was agreed beforehand, and is in the directory.
 */
export function readPaymentProvider(session: Fields): ReadHandlers {
  const isWithoutHandlers = (session['payment_provider'] ?? null) === null
  return { handlers: readProvider(fieldsOf(session['payment_provider'])), isWithoutHandlers }
}

function readProvider(provider: Fields): SessionHandler[] {
  const psp = readId(provider['provider'])
  const methods = entriesOf(provider['supported_payment_methods'], HANDLERS_MAX)
  const takesCards = methods.some((method) => method === 'card' || isCard(fieldsOf(method)))
  if (psp === null || !takesCards) return []
  return [
    {
      id: psp,
      name: 'payment_provider',
      psp,
      merchantId: readId(provider['merchant_id']),
      needsDelegatedToken: true,
      needsCardData: false,
      isSellerBacked: false,
    },
  ]
}

function isCard({ type }: Fields): boolean {
  return type === 'card'
}
