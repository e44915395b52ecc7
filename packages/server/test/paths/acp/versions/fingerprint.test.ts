import { describe, expect, test } from 'vitest'
import { type Change, sessionOf } from './some-session.ts'

describe('the fingerprint', () => {
  const { fingerprint } = sessionOf()

  test.each<[string, Change]>([
    ['the total', (body) => Object.assign(body.totals.at(-1), { amount: 1 })],
    ['the currency', (body) => Object.assign(body, { currency: 'eur' })],
    ['a quantity', (body) => Object.assign(body.line_items[0], { quantity: 7 })],
    [
      'the amount of a line',
      (body) => Object.assign(body.line_items[0], { totals: undefined, total: 7 }),
    ],
    ['an item', (body) => Object.assign(body.line_items[0].item, { id: 'other' })],
    [
      'who is paid',
      (body) =>
        Object.assign(body.capabilities.payment.handlers[0].config, { merchant_id: 'acct_other' }),
    ],
    [
      'the delivery, as older merchants name it',
      (body) => Object.assign(body, { fulfillment_option_id: 'other' }),
    ],
    [
      'the delivery',
      (body) =>
        Object.assign(body, {
          selected_fulfillment_options: [{ type: 'shipping', option_id: 'other', item_ids: [] }],
        }),
    ],
  ])('changes with %s', (_what, change) => {
    expect(sessionOf(change).fingerprint).not.toBe(fingerprint)
  })

  test.each<[string, Change]>([
    [
      'texts for people',
      (body) => Object.assign(body.line_items[0], { name: 'Other', description: 'Other' }),
    ],
    ['messages', (body) => Object.assign(body, { messages: [] })],
    [
      'the order of lists',
      (body) => {
        body.totals.reverse()
        body.capabilities.payment.handlers.reverse()
      },
    ],
    ['the times', (body) => Object.assign(body, { updated_at: '2026-12-01T00:00:00Z' })],
  ])('stays with %s', (_what, change) => {
    expect(sessionOf(change).fingerprint).toBe(fingerprint)
  })
})
