import type { FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { findCardNumber, type Subject } from '../../core/card-number.ts'

/**
 * Fields of any body that hold texts of the caller's own, and the card that somebody pays with.
 * Elsewhere are ids, hosts and amounts, which are held to their forms.
 */
const TOLD = [
  'card',
  'metadata',
  'reference',
  'reason',
  'comment',
  'description',
  'name',
  'label',
  'category',
] as const

type Told = Partial<Readonly<Record<(typeof TOLD)[number], unknown>>>

/** For endpoints whose body is about cards as a whole, but for fields that networks give ids in. */
export function aboutCards(...exempt: readonly string[]): Subject {
  return { isAboutCards: true, exempt: new Set(exempt) }
}

const CARD = aboutCards()

/**
 * Refuses a body in which something looks like the number of a card, before anything else is done
 * with it. Idempotency-Keys are exempt: they are ids that programs make, and may be digits only.
 */
export function refuseCardNumbers({ body, routeOptions }: FastifyRequest): void {
  const { isApi, cards } = routeOptions.config
  if (!isApi || typeof body !== 'object' || body === null) return
  const path = cards ? findCardNumber(body, cards) : findInTold(body)
  if (path === undefined) return
  throw new Problem(
    'pan_not_allowed',
    `In the body, ${path} looks like a card number or security code, or is named like one. It was not stored. Send the issuer's id of the card instead, never its number or code.`,
    { errors: [{ path, code: 'card_number', message: 'looks like the number of a card' }] },
  )
}

/** On the way of every decision, so it makes nothing where there is nothing to look at. */
function findInTold(body: Told): string | undefined {
  for (const name of TOLD) {
    const value = body[name]
    if (value === undefined) continue
    const path = findCardNumber(value, name === 'card' ? CARD : undefined, `/${name}`)
    if (path !== undefined) return path
  }
  return undefined
}
