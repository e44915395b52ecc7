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
 * What a merchant tells of an order: always all of it, without an id or a number of the event, in no
 * order. So it is read as a snapshot, and each adjustment is known by its own id.
 */
export interface OrderEvent {
  readonly sessionId: string
  /** Older merchants do not say it. */
  readonly orderId: string | null
  readonly permalinkUrl: string | null
  readonly status: string | null
  readonly adjustments: readonly OrderAdjustment[]
}

export interface OrderAdjustment {
  readonly id: string
  readonly type: string
  readonly status: string
  /** An integer of the minor unit of the currency, as it came; null where it is none. */
  readonly amountMinor: number | null
  /** In upper case; null where it is that of the order. */
  readonly currency: string | null
}

/** What an adjustment means for a budget. */
export interface MoneyBack {
  readonly id: string
  /** 0 where nothing came back: it has failed, or is no money. */
  readonly amount: Micros
}

const ADJUSTMENTS_MAX = 500
/** A credit is for the next purchase, an exchange for goods, and a dispute is not decided yet. */
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
 * What came back by each adjustment, in the currency that was paid. One in another currency counts
 * as nothing: nobody has agreed on a rate. One that is pending is no news: whatever else was told of it
 * is newer, also where that came first.
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

/** Those without an id are left out: they could not be told from a repeat. */
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
 * The versions before 2026-04-17 list refunds without ids. A snapshot only ever adds to the list, so
 * the place in it serves as one.
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

/** Nobody can tell which of two with the same id is meant, so the first is. */
function withoutRepeats(adjustments: readonly OrderAdjustment[]): readonly OrderAdjustment[] {
  const byId = new Map(adjustments.toReversed().map((adjustment) => [adjustment.id, adjustment]))
  return [...byId.values()].toReversed()
}

/** A currency that is named but not known must not pass for that of the order. */
function readOwnCurrency({ currency }: Fields): { readonly currency: string | null } {
  return { currency: currency === undefined ? null : (readCurrency(currency) ?? 'unknown') }
}

function readMinor(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}
