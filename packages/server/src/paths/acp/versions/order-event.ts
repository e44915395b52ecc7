import { fromMinor } from '../../../core/minor-unit.ts'
import type { Micros } from '../../../core/money.ts'
import {
  entriesOf,
  type Fields,
  fieldsOf,
  isFields,
  readId,
  readText,
  readUrl,
} from './merchant-text.ts'
import { readCurrency } from './session-money.ts'
import type { Unreadable } from './version.ts'

/**
 * An order event of a merchant. It always contains the whole order, has no event id or number, and
 * may arrive in any order. So it is read as a snapshot, and each adjustment is identified by its
 * own id.
 */
export interface OrderEvent {
  readonly sessionId: string
  /** Null for older merchants, which do not send it. */
  readonly orderId: string | null
  readonly permalinkUrl: string | null
  readonly status: string | null
  readonly adjustments: readonly OrderAdjustment[]
}

export interface OrderAdjustment {
  readonly id: string
  readonly type: string
  readonly status: string
  /** The amount in minor units, unchecked. Null if it is not an integer. */
  readonly amountMinor: number | null
  /** The currency in upper case. Null if it is that of the order. */
  readonly currency: string | null
}

/** The effect of an adjustment on a budget. */
export interface MoneyBack {
  readonly id: string
  /** 0 if nothing was refunded: the adjustment failed, or is not money. */
  readonly amount: Micros
}

const ADJUSTMENTS_MAX = 500
/**
 * Other types do not return money: a credit is for the next purchase, an exchange is for goods, and
 * a dispute is not decided yet.
 */
const GIVES_MONEY_BACK: ReadonlySet<string> = new Set([
  'refund',
  'cancellation',
  'return',
  'price_adjustment',
])

export function readOrderEvent(body: unknown): OrderEvent | Unreadable {
  const order = fieldsOf(body)['data']
  if (!isFields(order)) return { unreadable: 'The event has no order.' }
  const sessionId = readId(order['checkout_session_id'])
  if (sessionId === null) return { unreadable: 'The order does not name its checkout session.' }
  return {
    sessionId,
    orderId: readId(order['id']),
    permalinkUrl: readUrl(order['permalink_url']),
    status: readText(order['status']),
    adjustments: withoutRepeats(
      'adjustments' in order ? readAdjustments(order) : readOlderRefunds(order),
    ),
  }
}

/**
 * Returns the refund of each adjustment, in the currency of the payment. An adjustment in a
 * different currency counts as 0, because there is no agreed rate. Pending adjustments are left
 * out: any other report of the same adjustment is newer, even if it arrived first.
 */
export function moneyBackOf({ adjustments }: OrderEvent, currency: string): readonly MoneyBack[] {
  const known = adjustments.filter(({ status }) => status !== 'pending')
  return known.map((adjustment) => {
    const isMoney =
      GIVES_MONEY_BACK.has(adjustment.type) &&
      adjustment.status === 'completed' &&
      (adjustment.currency ?? currency) === currency
    const amount = isMoney ? fromMinor(adjustment.amountMinor, currency) : undefined
    return { id: adjustment.id, amount: amount !== undefined && amount > 0n ? amount : 0n }
  })
}

/** Leaves out adjustments without an id, because a repeat could not be recognized. */
function readAdjustments(order: Fields): OrderAdjustment[] {
  return entriesOf(order['adjustments'], ADJUSTMENTS_MAX)
    .map(fieldsOf)
    .flatMap((adjustment) => {
      const id = readId(adjustment['id'])
      if (id === null) return []
      return [
        {
          id,
          type: readText(adjustment['type']) ?? 'unknown',
          status: readText(adjustment['status']) ?? 'unknown',
          amountMinor: readMinor(adjustment['amount']),
          ...readOwnCurrency(adjustment),
        },
      ]
    })
}

/**
 * Reads the refunds of versions before 2026-04-17, which have no ids. A snapshot only ever appends
 * to the list, so the position serves as an id.
 */
function readOlderRefunds(order: Fields): OrderAdjustment[] {
  return entriesOf(order['refunds'], ADJUSTMENTS_MAX)
    .map(fieldsOf)
    .map(({ type, amount }, index) => ({
      id: `refunds[${index}]`,
      type: type === 'original_payment' ? 'refund' : 'credit',
      status: 'completed',
      amountMinor: readMinor(amount),
      currency: null,
    }))
}

/**
 * Keeps the first of several adjustments with the same id, because it is unclear which one is
 * meant.
 */
function withoutRepeats(adjustments: readonly OrderAdjustment[]): readonly OrderAdjustment[] {
  const byId = new Map(adjustments.toReversed().map((adjustment) => [adjustment.id, adjustment]))
  return [...byId.values()].toReversed()
}

/** An unknown currency must not pass for the currency of the order. */
function readOwnCurrency({ currency }: Fields): { readonly currency: string | null } {
  return { currency: currency === undefined ? null : (readCurrency(currency) ?? 'unknown') }
}

function readMinor(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}
