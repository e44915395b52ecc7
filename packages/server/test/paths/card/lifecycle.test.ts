import { describe, expect, test } from 'vitest'
import { toPublicId } from '../../../src/core/id.ts'
import { bodyOf } from '../../support/builders.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { openDesksOnOneApp } from './desk.ts'

const openCardDesk = openDesksOnOneApp()

const on = { authorizationId: 'authorization-1' }
const money = (amount: number) => ({ ...on, amount, currency: 'USD' })

describe('what an issuer asks', () => {
  test('is held until it tells what became of it', async () => {
    const desk = await openCardDesk()
    const { body } = await desk.ask()
    expect(body).toMatchObject({
      decision: 'approved',
      code: 'approved',
      approvedAmount: 30,
      amount: 30,
      networkCode: '00',
      status: 'held',
      remainingBudget: 70,
    })
    expect(await desk.transactions()).toMatchObject([
      {
        transactionId: body.transactionId,
        path: 'card',
        status: 'held',
        heldAmount: 30,
        flags: ['merchant_unrecognised'],
        category: 'software',
        external: {
          connectionId: desk.connectionId,
          authorizationId: 'authorization-1',
          requestId: 'request-1',
          requestedAmount: 30,
          merchant: { name: 'EXAMPLE SAAS', id: '100200300400', mcc: '5734', country: 'US' },
        },
      },
    ])
  })

  test('is declined beyond the budget, and nothing is held', async () => {
    const desk = await openCardDesk({ budget: 20 })
    const { status, body } = await desk.ask()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      decision: 'rejected',
      code: 'budget_exceeded',
      approvedAmount: 0,
      networkCode: '51',
      retryable: true,
    })
    expect(await desk.budget()).toEqual([0, 0, 20])
  })

  test('is judged on what is added, where more is asked for an approved purchase', async () => {
    const desk = await openCardDesk({ mandate: { rules: [{ type: 'amount', max: 50 }] } })
    await desk.ask()
    const more = { ...on, type: 'incremental' }
    expect((await desk.ask({ ...more, amount: 20 })).body).toMatchObject({
      decision: 'approved',
      amount: 20,
    })
    expect((await desk.ask({ ...more, amount: 1 })).body.code).toBe('amount_above_max')
    expect(await desk.budget()).toEqual([50, 50, 50])
  })

  test('is the difference to what was approved, where the issuer says what all comes to', async () => {
    const desk = await openCardDesk()
    await desk.ask()
    const { body } = await desk.ask({ ...on, type: 'incremental', amount: 45, totalAmount: 45 })
    expect(body).toMatchObject({ decision: 'approved', amount: 15 })
  })

  test('is captured at once where authorization and capture are one', async () => {
    const desk = await openCardDesk()
    const { body } = await desk.ask({ type: 'single_message' })
    expect(body).toMatchObject({ decision: 'approved', approvedAmount: 30 })
    await desk.tell('card_status', { card: { externalId: 'tok_1' }, status: 'active' })
    await expect.poll(() => desk.budget(), { timeout: 60_000 }).toEqual([30, 0, 70])
  })

  test('is a check of the card where nothing is asked for: judged, and counted nowhere', async () => {
    const desk = await openCardDesk({
      mandate: { rules: [{ type: 'limit', maxCount: 1, window: '1h' }] },
    })
    const check = { type: 'verification', amount: 0 }
    expect((await desk.ask(check)).body).toMatchObject({ decision: 'approved', amount: 0 })
    expect((await desk.ask(check)).body).toMatchObject({ decision: 'approved', status: 'settled' })
    expect((await desk.ask()).body.decision).toBe('approved')
    expect(await desk.budget()).toEqual([30, 30, 70])
  })

  test('is approved unrecorded where money comes back', async () => {
    const desk = await openCardDesk()
    const { body } = await desk.ask({ type: 'refund', amount: 5 })
    expect(body).toMatchObject({ decision: 'approved', transactionId: null })
    expect(await desk.transactions()).toEqual([])
  })

  test('is declined for a card that nobody has registered, and no transaction is made', async () => {
    const desk = await openCardDesk()
    const { body } = await desk.ask({ card: { externalId: 'tok_other' } })
    expect(body).toMatchObject({ decision: 'rejected', code: 'card_unknown', transactionId: null })
    expect(await desk.transactions()).toEqual([])
  })

  test.each([
    ['paused', 'card_paused'],
    ['closed', 'card_closed'],
  ] as const)('is declined for a card that is %s', async (status, code) => {
    const desk = await openCardDesk({ card: { status } })
    expect((await desk.ask()).body).toMatchObject({ decision: 'rejected', code })
  })

  test('is declined over a connection that is disabled', async () => {
    const desk = await openCardDesk({ connection: { status: 'disabled' } })
    expect((await desk.ask()).body).toMatchObject({ code: 'connection_disabled' })
  })

  test('is declined in another currency than that of the mandate', async () => {
    const desk = await openCardDesk()
    expect((await desk.ask({ currency: 'EUR' })).body.code).toBe('currency_mismatch')
  })

  test('is declined where the trade is dangerous and no mandate names it', async () => {
    const desk = await openCardDesk()
    const merchant = { name: 'LUCKY SEVEN', id: '1', mcc: '7995', country: 'US' }
    expect((await desk.ask({ merchant })).body.code).toBe('category_blocked')
  })

  test('is approved in part where issuer and connection allow it', async () => {
    const desk = await openCardDesk({ budget: 20.555, connection: { partialApprovals: true } })
    const { body } = await desk.ask({ partialApprovalSupported: true })
    expect(body).toMatchObject({
      decision: 'approved',
      approvedAmount: 20.55,
      amount: 20.55,
      networkCode: '10',
    })
    expect(await desk.transactions()).toMatchObject([{ external: { requestedAmount: 30 } }])
  })
})

describe('what an issuer tells', () => {
  test('is booked: captured in part, then the rest given back', async () => {
    const desk = await openCardDesk()
    await desk.ask()
    await desk.tell('capture', money(12))
    expect(await desk.budget()).toEqual([30, 18, 70])
    await desk.tell('close', on)
    expect(await desk.budget()).toEqual([12, 0, 88])
    expect(await desk.transactions()).toMatchObject([{ status: 'settled', settledAmount: 12 }])
  })

  test('is booked beyond the hold, and flagged', async () => {
    const desk = await openCardDesk({ budget: 40 })
    await desk.ask()
    await desk.tell('capture', { ...money(45), final: true })
    expect(await desk.transactions()).toMatchObject([
      { status: 'settled', settledAmount: 45, flags: ['over_capture', 'merchant_unrecognised'] },
    ])
  })

  test('pauses the card where more is captured than the trade explains', async () => {
    const desk = await openCardDesk({ connection: { pauseOnOverCapture: true } })
    await desk.ask()
    await desk.tell('capture', { ...money(31), final: true })
    expect((await desk.ask()).body.code).toBe('card_paused')
  })

  test('pauses the card once for one capture, whatever is told of the purchase later', async () => {
    const desk = await openCardDesk({ connection: { pauseOnOverCapture: true } })
    await desk.ask()
    await desk.tell('capture', { ...money(31), final: true })
    const cardId = toPublicId('card', desk.card.id)
    bodyOf(await desk.acme.patch(`/cards/${cardId}`, { status: 'active' }))
    await desk.tell('refund', money(1))
    expect((await desk.ask()).body.decision).toBe('approved')
  })

  test('does not pause the card for a tip', async () => {
    const desk = await openCardDesk({ connection: { pauseOnOverCapture: true } })
    await desk.ask({ merchant: { name: 'DINER', id: '1', mcc: '5812', country: 'US' } })
    await desk.tell('capture', { ...money(36), final: true })
    expect((await desk.ask()).body.decision).toBe('approved')
  })

  test('gives the budget back: reversed, expired, declined after all', async () => {
    for (const [type, fields] of [
      ['reverse', on],
      ['expire', on],
      ['provider_decision', { ...on, approved: false }],
    ] as const) {
      const desk = await openCardDesk()
      await desk.ask()
      await desk.tell(type, fields)
      expect(await desk.budget(), type).toEqual([0, 0, 100])
    }
  })

  test('is booked although nobody asked: recorded once, and flagged', async () => {
    const desk = await openCardDesk()
    const forced = { card: { externalId: 'tok_1' }, amount: 25, currency: 'USD' }
    await desk.tell('capture', { ...forced, externalTransactionId: 'capture-1' })
    await desk.tell('capture', { ...forced, externalTransactionId: 'capture-1' })
    expect(await desk.transactions()).toMatchObject([
      { code: 'recorded', status: 'settled', amount: 25, settledAmount: 25, flags: ['ungoverned'] },
    ])
    expect(await desk.budget()).toEqual([25, 0, 75])
  })

  test('is booked when it is told again, where its card is registered only then', async () => {
    const desk = await openCardDesk()
    const { acme, agentId, connectionId } = desk
    const forced = { card: { externalId: 'tok_2' }, amount: 25, currency: 'USD' }
    const told = { ...forced, eventId: 'once', externalTransactionId: 'capture-1' }
    await desk.tell('capture', told)
    expect(await desk.transactions()).toEqual([])
    bodyOf(await acme.post('/cards', { connectionId, externalId: 'tok_2', agentId }))
    await desk.tell('capture', told)
    await desk.tell('capture', told)
    expect(await desk.transactions()).toMatchObject([{ code: 'recorded', settledAmount: 25 }])
    expect(await desk.budget()).toEqual([25, 0, 75])
  })

  test('shows in the health of the connection, where nobody has registered its card', async () => {
    const desk = await openCardDesk({ connection: { deadlineMs: 1_000 } })
    const forced = { card: { externalId: 'tok_2' }, amount: 25, currency: 'USD' }
    await desk.tell('capture', { ...forced, merchant: { name: 'GARAGE' } })
    const seen = { externalId: 'tok_2', merchantName: 'GARAGE', amount: 25, currency: 'USD' }
    const connections = async () => bodyOf(await desk.acme.get('/card-connections')).data
    await waitUntil(async () => JSON.stringify(await connections()).includes('"tok_2"'))
    expect(await connections()).toMatchObject([
      { health: { unknownCards24h: 1, unknownCards: [seen] } },
    ])
  })

  test('is booked on the last mandate, although it is revoked', async () => {
    const desk = await openCardDesk()
    await desk.ask()
    await desk.acme.post(`/mandates/${desk.mandateId}/revoke`)
    expect((await desk.ask()).body.code).toBe('no_active_mandate')
    await desk.tell('capture', { ...money(30), final: true })
    expect(await desk.transactions()).toMatchObject([{ status: 'settled' }, { status: 'rejected' }])
    expect(await desk.budget()).toEqual([30, 0, 70])
  })

  test('waits: a refund and a dispute before their capture', async () => {
    const desk = await openCardDesk()
    await desk.ask()
    const dispute = { externalTransactionId: 'capture-1', amount: 5, currency: 'USD' }
    await desk.tell('dispute_reinstated', dispute)
    await desk.tell('refund', money(10))
    expect(await desk.budget()).toEqual([30, 30, 70])
    await desk.tell('capture', { ...money(30), externalTransactionId: 'capture-1', final: true })
    expect(await desk.budget()).toEqual([15, 0, 85])
    await desk.tell('dispute_rescinded', dispute)
    expect(await desk.budget()).toEqual([20, 0, 80])
  })

  test('is taken in another currency than that of its purchase, and nothing is booked', async () => {
    const desk = await openCardDesk()
    await desk.ask()
    const { status } = await desk.tell('capture', { ...money(30), currency: 'JPY' })
    expect(status).toBe(200)
    expect(await desk.budget()).toEqual([30, 30, 70])
  })

  test('restores nothing where money came back that belongs to no purchase', async () => {
    const desk = await openCardDesk()
    await desk.ask()
    const card = { externalId: 'tok_1' }
    await desk.tell('refund', { card, amount: 5, currency: 'USD' })
    expect(await desk.budget()).toEqual([30, 30, 70])
  })

  test('changes nothing the second time', async () => {
    const desk = await openCardDesk()
    await desk.ask()
    const capture = { ...money(10), eventId: 'same', externalTransactionId: 'capture-1' }
    for (let times = 0; times < 3; times++) {
      expect((await desk.tell('capture', capture)).body).toEqual({ received: true })
    }
    expect(await desk.budget()).toEqual([30, 20, 70])
  })
})
