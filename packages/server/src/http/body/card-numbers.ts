import type { FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { findCardNumber, type Subject } from '../../core/card-number.ts'

/**
 * Fields of any body that hold free text of the caller, and the card of a payment. All other fields
 * hold ids, hosts and amounts, whose format is validated.
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

/** For endpoints whose whole body is about cards, except for fields that hold ids of card networks. */
export function aboutCards(...exempt: readonly string[]): Subject {
  return { isAboutCards: true, exempt: new Set(exempt) }
}

const CARD = aboutCards()

/**
 * Refuses a body with a value that looks like a card number, before any other processing.
 * Idempotency-Keys are exempt: they are ids that programs make, and may be digits only.
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

/** This runs for every decision, so it allocates nothing if there is nothing to check. */
function findInTold(body: Told): string | undefined {
  for (const name of TOLD) {
    const value = body[name]
    if (value === undefined) continue
    const path = findCardNumber(value, name === 'card' ? CARD : undefined, `/${name}`)
    if (path !== undefined) return path
  }
  return undefined
}
