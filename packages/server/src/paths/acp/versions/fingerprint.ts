import { createHash } from 'node:crypto'
import { canonicalTextOf } from '@purser/audit'
import { entriesOf, type Fields, fieldsOf, readId } from './merchant-text.ts'
import type { SessionMoney } from './session-money.ts'
import type { SessionHandler, SessionLine, SessionTotal } from './version.ts'

const FULFILLMENTS_MAX = 100

/**
 * Hashes everything that must not change between the first read of a session and its payment: the
 * items, the price and its parts, the delivery, and the payee. Ignores the order of lists, because
 * some merchants do not keep it. Ignores texts for people, which may change.
 */
export function fingerprintOf(
  { currency, totals }: SessionMoney,
  lines: readonly SessionLine[],
  handlers: readonly SessionHandler[],
  session: Fields,
): string {
  const judged = {
    currency,
    totals: unordered(totals.map(toTotal)),
    lines: unordered(
      lines.map(({ id, itemId, quantity, amount }) => ({
        id,
        itemId,
        quantity,
        amount: amount === null ? null : String(amount),
      })),
    ),
    fulfillments: unordered(readFulfillments(session)),
    handlers: unordered(handlers),
  }
  return `sha-256:${createHash('sha256').update(canonicalTextOf(judged)).digest('hex')}`
}

function toTotal({ type, amount }: SessionTotal): object {
  return { type, amount: String(amount) }
}

/** Reads the delivery options. The first version has one for all lines. */
function readFulfillments(session: Fields): readonly object[] {
  const selected = entriesOf(session['selected_fulfillment_options'], FULFILLMENTS_MAX)
  const chosen = selected.map(fieldsOf).map((option) => ({
    type: readId(option['type']),
    option: readId(option['option_id']),
    items: unordered(entriesOf(option['item_ids'], FULFILLMENTS_MAX).map(readId)),
  }))
  const only = readId(session['fulfillment_option_id'])
  return only === null ? chosen : [...chosen, { option: only }]
}

function unordered(list: readonly unknown[]): readonly string[] {
  return list.map(canonicalTextOf).sort()
}
