import { entriesOf, type Fields, fieldsOf, readId } from './merchant-text.ts'
import type { ReadHandlers, SessionHandler } from './version.ts'

const HANDLERS_MAX = 50
const SELLER_BACKED = /\bseller_backed\b/

/** The ways to pay of the versions from 2026-01-30 on. Those that cannot be read are not offered. */
export function readHandlers(session: Fields): ReadHandlers {
  const { payment } = fieldsOf(session['capabilities'])
  const { handlers: named = [] } = fieldsOf(payment)
  const handlers = entriesOf(named, HANDLERS_MAX).flatMap((entry) => readHandler(fieldsOf(entry)))
  // The merchant is told only the id, so two with one id could be paid by the wrong one.
  const ids = handlers.map(({ id }) => id)
  return {
    handlers: handlers.filter(({ id }) => ids.indexOf(id) === ids.lastIndexOf(id)),
    // Those that cannot be read are something else than none.
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
      // Whoever does not say that it does without card data may need it.
      needsCardData: handler['requires_pci_compliance'] !== false,
      isSellerBacked: SELLER_BACKED.test(name),
    },
  ]
}

/**
 * The one way to pay of the versions before. The first of them does not say who is paid: that was
 * agreed beforehand, and the directory knows it.
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
