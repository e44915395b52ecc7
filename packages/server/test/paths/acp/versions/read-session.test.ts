import { describe, expect, test } from 'vitest'
import { findVersion } from '../../../../src/paths/acp/versions/index.ts'
import { exampleOf, examplesOf, PUBLISHED } from '../../../support/acp/published.ts'
import { type Change, read, sessionOf } from './some-session.ts'

const total = (amount: unknown) => ({ type: 'total', display_text: 'Total', amount })

const someTaxes = (count: number) =>
  Array.from({ length: count }, () => ({ ...total(1), type: 'tax' }))
const linesLike = ({ line_items: [line] }: ReturnType<typeof exampleOf>, count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...line, id: `line_${index}` }))

describe.each(PUBLISHED)('the published examples of %s', (version) => {
  const sessions = examplesOf(version).filter(
    ({ value }) => value.line_items && value.status && value.capabilities,
  )

  test.each(sessions.map(({ name, value }) => [name, value]))('%s is read', (_name, value) => {
    const session = findVersion(version)?.readSession(value)
    const [{ amount }] = value.totals.filter(({ type }: { type: string }) => type === 'total')
    expect(session).toMatchObject({
      id: value.id,
      currency: 'USD',
      totalMinor: amount,
      total: BigInt(amount) * 10_000n,
      fingerprint: expect.stringMatching(/^sha-256:[0-9a-f]{64}$/),
    })
    expect(session).toHaveProperty('lines.length', value.line_items.length)
  })

  test('are many', () => {
    expect(sessions.length).toBeGreaterThanOrEqual(11)
  })
})

test('a session is read with what it says of the purchase', () => {
  expect(sessionOf()).toMatchObject({
    id: 'checkout_session_123',
    status: 'ready_for_payment',
    handlers: [
      {
        id: 'card_tokenized',
        psp: 'stripe',
        merchantId: 'acct_1234567890',
        needsDelegatedToken: true,
        needsCardData: false,
        isSellerBacked: false,
      },
      { id: 'seller_pm_123', isSellerBacked: true },
    ],
    order: null,
    errors: [],
    hasPriceChange: false,
  })
})

describe('money', () => {
  test.each([
    ['jpy', 12_900_000_000n],
    ['KWD', 12_900_000n],
    ['usd', 129_000_000n],
  ])('in %s is read by the minor unit of the currency', (currency, micros) => {
    const session = sessionOf((body) => Object.assign(body, { currency, totals: [total(12_900)] }))
    expect(session).toMatchObject({
      currency: currency.toUpperCase(),
      total: micros,
      totalMinor: 12_900,
    })
  })

  test.each<[string, Change]>([
    ['two totals', (body) => body.totals.push(total(1))],
    [
      'two totals of the same amount',
      (body) =>
        body.totals.push(body.totals.find(({ type }: { type: string }) => type === 'total')),
    ],
    ['no total', (body) => Object.assign(body, { totals: [{ ...total(1), type: 'subtotal' }] })],
    ['totals that are no list', (body) => Object.assign(body, { totals: { total: 1 } })],
    ['no totals', (body) => delete body.totals],
    ['a negative total', (body) => Object.assign(body, { totals: [total(-1)] })],
    ['a total with decimals', (body) => Object.assign(body, { totals: [total(129.5)] })],
    ['a total as a text', (body) => Object.assign(body, { totals: [total('12900')] })],
    [
      'a total beyond what a number holds',
      (body) => Object.assign(body, { totals: [total(2 ** 53)] }),
    ],
    ['a total beyond what is ever paid', (body) => Object.assign(body, { totals: [total(1e11)] })],
    ['another entry that is no amount', (body) => body.totals.push({ ...total(0.5), type: 'tax' })],
    ['an unknown currency', (body) => Object.assign(body, { currency: 'xyz' })],
    ['a token for a currency', (body) => Object.assign(body, { currency: 'usdc' })],
    ['no currency', (body) => delete body.currency],
    ['no id', (body) => delete body.id],
    ['an id that nobody can store', (body) => Object.assign(body, { id: 'cs\u0000' })],
    ['a line without a quantity', (body) => delete body.line_items[0].quantity],
    ['a line of half a piece', (body) => Object.assign(body.line_items[0], { quantity: 0.5 })],
    ['a line of no pieces', (body) => Object.assign(body.line_items[0], { quantity: 0 })],
    ['101 totals', (body) => Object.assign(body, { totals: [total(1), ...someTaxes(100)] })],
    ['501 lines', (body) => Object.assign(body, { line_items: linesLike(body, 501) })],
    ['a line of nothing', (body) => delete body.line_items[0].item],
    ['no lines', (body) => delete body.line_items],
  ])('%s is refused', (_what, change) => {
    expect(read(change)).toEqual({ unreadable: expect.any(String) })
  })

  test('is read up to the bounds, and from zero on', () => {
    const totals = [total(0), ...someTaxes(99)]
    const session = sessionOf((body) =>
      Object.assign(body, { totals, line_items: linesLike(body, 500) }),
    )
    expect([session.total, session.totals.length, session.lines.length]).toEqual([0n, 100, 500])
  })

  test.each<[string, unknown, bigint | null]>([
    ['one total', [{ ...total(30), type: 'tax' }, total(330)], 3_300_000n],
    ['two totals', [total(330), total(331)], null],
    ['no total', [{ ...total(30), type: 'tax' }], null],
    ['totals that cannot be read', [total(330), { ...total('30'), type: 'tax' }], null],
  ])('of a line with %s is shown only if it is clear', (_what, totals, amount) => {
    const session = sessionOf((body) => Object.assign(body.line_items[0], { totals, total: 7 }))
    expect(session.lines[0]?.amount).toBe(amount)
  })

  test('a part of the total may be negative', () => {
    const session = sessionOf((body) => body.totals.push({ ...total(-100), type: 'discount' }))
    expect(session.totals).toContainEqual({ type: 'discount', amount: -1_000_000n })
  })
})

describe('what a merchant writes', () => {
  test('is bounded, and holds nothing that a database refuses', () => {
    const session = sessionOf((body) => {
      body.line_items[0].name = `\u0000\ud800${'x'.repeat(100_000)}`
      body.line_items[0].category = '  \u0007 '
      body.continue_url = 'javascript:alert(1)'
      body.authentication_metadata = { text: 'x'.repeat(100_000) }
    })
    expect(session.lines[0]?.name).toMatch(/^x{1,200}$/)
    expect(session).toMatchObject({
      lines: [{ category: null }],
      continueUrl: null,
      authentication: null,
    })
  })

  test('of the payer is left out when it is nested deeper than anybody reads', () => {
    const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
    const kept = (depth: number) =>
      sessionOf((body) => Object.assign(body, { authentication_metadata: nested(depth) }))
    expect(kept(16).authentication).toEqual(nested(16))
    expect(kept(17).authentication).toBeNull()
  })

  test('of the payer is kept as it came', () => {
    const session = read(() => {}, 'checkout_session_authentication_required')
    const { authentication_metadata: asked } = exampleOf(
      '2026-04-17',
      'checkout_session_authentication_required',
    )
    expect(session).toMatchObject({ status: 'authentication_required', authentication: asked })
  })

  test('in a status that nobody knows is taken for something under way', () => {
    expect(sessionOf((body) => Object.assign(body, { status: 'paid_in_full' })).status).toBe(
      'in_progress',
    )
  })

  test('of a handler that shares its id with another is not offered', () => {
    const session = sessionOf((body) => {
      const { handlers } = body.capabilities.payment
      handlers.push({ ...handlers[0], config: { merchant_id: 'acct_other' } })
    })
    expect(session.handlers.map(({ id }) => id)).toEqual(['seller_pm_123'])
  })

  test.each(['id', 'name', 'psp'])('of a handler without its %s is not offered', (field) => {
    const session = sessionOf((body) => delete body.capabilities.payment.handlers[0][field])
    expect(session.handlers.map(({ id }) => id)).toEqual(['seller_pm_123'])
  })

  test('of handlers counts as none only if it is an empty list', () => {
    const isWithout = (handlers: unknown) =>
      sessionOf((body) => Object.assign(body.capabilities.payment, { handlers })).isWithoutHandlers
    const cases = [[], undefined, [{}], 'none']
    expect(cases.map(isWithout)).toEqual([true, true, false, false])
  })

  test('of a change of the price is noted, and no other message is taken for one', () => {
    const withMessage = (code: string) =>
      sessionOf((body) => Object.assign(body, { messages: [{ type: 'info', code }] }))
    expect(withMessage('price_change').hasPriceChange).toBe(true)
    expect(withMessage('low_stock').hasPriceChange).toBe(false)
  })

  test('of a handler counts as a need for card data unless it says otherwise', () => {
    const session = sessionOf(
      (body) => delete body.capabilities.payment.handlers[0].requires_pci_compliance,
    )
    expect(session.handlers[0]?.needsCardData).toBe(true)
  })

  test('of its end is the earliest that can be read', () => {
    const session = sessionOf((body) =>
      Object.assign(body, {
        expires_at: '2026-12-01T00:00:00Z',
        quote_expires_at: '2026-11-30T00:00:00+02:00',
      }),
    )
    expect(session.expiresAt).toBe(Date.parse('2026-11-29T22:00:00Z'))
    for (const unclear of ['soon', '2026-12-01T00:00:00', '1 Dec 2026', 1_796_083_200_000]) {
      const { expiresAt } = sessionOf((body) => Object.assign(body, { expires_at: unclear }))
      expect(expiresAt).toBeNull()
    }
  })
})

test('the versions before handlers are read by their provider', () => {
  const body = {
    id: 'checkout_session_1',
    buyer: null,
    payment_provider: {
      provider: 'stripe',
      merchant_id: 'acct_1',
      supported_payment_methods: ['card'],
    },
    status: 'ready_for_payment',
    currency: 'usd',
    line_items: [
      {
        id: 'line_1',
        item: { id: 'item_1', quantity: 2 },
        base_amount: 300,
        discount: 0,
        subtotal: 300,
        tax: 30,
        total: 330,
      },
    ],
    totals: [{ type: 'total', display_text: 'Total', amount: 430 }],
    fulfillment_options: [],
    fulfillment_option_id: 'option_1',
    messages: [],
    links: [],
  }
  const older = findVersion('2025-09-29')
  expect(older?.readSession(body)).toMatchObject({
    total: 4_300_000n,
    lines: [{ id: 'line_1', itemId: 'item_1', quantity: 2, amount: 3_300_000n }],
    handlers: [
      {
        id: 'stripe',
        psp: 'stripe',
        merchantId: 'acct_1',
        needsDelegatedToken: true,
        needsCardData: false,
        isSellerBacked: false,
      },
    ],
    isWithoutHandlers: false,
  })
  const paidBy = (payment_provider: unknown) => older?.readSession({ ...body, payment_provider })
  const taking = (method: unknown) =>
    paidBy({ provider: 'stripe', supported_payment_methods: [method] })
  expect(taking({ type: 'card' })).toMatchObject({ handlers: [{ psp: 'stripe' }] })
  expect(taking({ type: 'bank' })).toMatchObject({ handlers: [], isWithoutHandlers: false })
  expect(paidBy({ provider: 'stripe' })).toMatchObject({ handlers: [], isWithoutHandlers: false })
  expect(paidBy(null)).toMatchObject({ handlers: [], isWithoutHandlers: true })
})
