import { describe, expect, test } from 'vitest'
import { audit } from '../../support/audit.ts'
import { isoAt, openDesksOnOneApp } from './desk.ts'

const openCardDesk = openDesksOnOneApp()

const ONE = { authorizationId: 'one', requestId: 'first' }
const CONFIRMED = { authorizationId: 'one', approved: true, amount: 30, currency: 'USD' }
const atMs = (ms: number) => isoAt(ms / 1_000)

describe('a request of a generic issuer that is repeated', () => {
  test('after its Idempotency-Key is gone gets the first answer and holds nothing more', async () => {
    const desk = await openCardDesk()
    const first = await desk.ask(ONE)
    await desk.app.rows('delete from idempotency_keys')
    const repeated = await desk.ask(ONE)
    expect(repeated.text).toBe(first.text)
    expect(repeated.headers['idempotent-replayed']).toBe('true')
    expect(await desk.transactions()).toHaveLength(1)
    await desk.tell('reverse', { authorizationId: 'one' })
    expect(await desk.budget()).toEqual([0, 0, 100])
    expect(await audit(desk.app.database.db)).toEqual([])
  })

  test('after its key is gone is declined as it was, although it would pass by now', async () => {
    const desk = await openCardDesk({ budget: 10 })
    const first = await desk.ask(ONE)
    expect(first.body.code).toBe('budget_exceeded')
    await desk.app.rows('delete from idempotency_keys')
    await desk.acme.patch(`/mandates/${desk.mandateId}/budget`, { budgetTotal: 1_000 })
    expect((await desk.ask(ONE)).text).toBe(first.text)
  })

  test('after the details of the decision were removed is still answered as it was', async () => {
    const desk = await openCardDesk()
    const first = await desk.ask(ONE)
    await desk.app.rows('delete from idempotency_keys')
    await desk.app.rows('update transactions set details = null, details_removed_at = now()')
    expect((await desk.ask(ONE)).body).toEqual({ ...first.body, evaluationDetails: null })
  })

  test.each([
    ['while its key is kept', false],
    ['after its key is gone', true],
  ])('with another amount gets the first answer whole %s', async (_when, isGone) => {
    const desk = await openCardDesk({ connection: { partialApprovals: true } })
    const asked = { ...ONE, partialApprovalSupported: true }
    const first = await desk.ask({ ...asked, amount: 150 })
    expect(first.body).toMatchObject({ approvedAmount: 100, networkCode: '10' })
    if (isGone) await desk.app.rows('delete from idempotency_keys')
    for (const amount of [100, 80, 300]) {
      expect((await desk.ask({ ...asked, amount })).text, String(amount)).toBe(first.text)
    }
  })
})

describe('a confirmation', () => {
  test.each([0, 1, 999, 1_000])('stamped %d ms before its request confirms it', async (ms) => {
    const desk = await openCardDesk()
    await desk.ask({ ...ONE, occurredAt: atMs(10_000) })
    await desk.tell('provider_decision', { ...CONFIRMED, occurredAt: atMs(10_000 - ms) })
    expect(await desk.budget()).toEqual([30, 30, 70])
    expect((await desk.transactions())[0]?.flags).not.toContain('raised')
  })

  test('does not swallow an increment that is asked for within the same second', async () => {
    const desk = await openCardDesk({ budget: 1_000 })
    await desk.ask({ ...ONE, occurredAt: atMs(9_000) })
    await desk.tell('provider_decision', { ...CONFIRMED, occurredAt: atMs(10_000) })
    await desk.ask({ ...ONE, requestId: 'more', amount: 40, occurredAt: atMs(10_500) })
    await desk.tell('adjust', { ...CONFIRMED, approved: undefined, occurredAt: atMs(10_000) })
    expect((await desk.budget()).slice(0, 2)).toEqual([70, 70])
  })

  test('that names its request covers it, whenever it was stamped', async () => {
    const desk = await openCardDesk()
    await desk.ask({ ...ONE, occurredAt: atMs(60_000) })
    const named = { ...CONFIRMED, requestId: 'first', occurredAt: atMs(1_000) }
    expect((await desk.tell('provider_decision', named)).status).toBe(200)
    expect(await desk.budget()).toEqual([30, 30, 70])
  })

  test('that names its request does not cover what was asked for after that', async () => {
    const desk = await openCardDesk({ budget: 1_000 })
    await desk.ask({ ...ONE, occurredAt: atMs(1_000) })
    await desk.ask({ ...ONE, requestId: 'more', amount: 40, occurredAt: atMs(2_000) })
    const later = { ...CONFIRMED, occurredAt: atMs(5_000) }
    const told = await desk.tell('provider_decision', { ...later, requestId: 'first' })
    expect(told.status).toBe(200)
    expect((await desk.budget())[0]).toBe(70)
    const grown = { ...later, amount: 70, occurredAt: atMs(4_000) }
    const raised = { ...grown, approved: undefined, requestId: 'more' }
    expect((await desk.tell('adjust', raised)).status).toBe(200)
    expect((await desk.budget())[0]).toBe(70)
  })

  test('alone names a request: a reversal cannot', async () => {
    const desk = await openCardDesk()
    const { status, body } = await desk.tell('reverse', ONE)
    expect([status, body.errors[0]?.path]).toEqual([400, '/requestId'])
  })
})

describe('a time far in the future', () => {
  const FAR = '2099-01-01T00:00:00.000Z'
  const soon = (ms = 0) => new Date(Date.now() + ms).toISOString()

  test('of a request keeps nothing held once it is reversed', async () => {
    const desk = await openCardDesk()
    await desk.ask({ ...ONE, occurredAt: FAR })
    await desk.tell('reverse', { authorizationId: 'one', occurredAt: soon(1_000) })
    expect(await desk.budget()).toEqual([0, 0, 100])
  })

  test('of an event does not hide what is told later', async () => {
    const desk = await openCardDesk()
    await desk.ask(ONE)
    await desk.tell('provider_decision', { ...CONFIRMED, occurredAt: FAR })
    await desk.tell('reverse', { authorizationId: 'one', occurredAt: soon(1_000) })
    expect(await desk.budget()).toEqual([0, 0, 100])
  })

  test('of an event keeps no card paused', async () => {
    const desk = await openCardDesk()
    const card = { card: { externalId: 'tok_1' } }
    await desk.tell('card_status', { ...card, status: 'paused', occurredAt: FAR })
    await desk.tell('card_status', { ...card, status: 'active', occurredAt: soon(1_000) })
    expect((await desk.ask()).body.code).toBe('approved')
  })

  test('that is less than five minutes away is taken as it is', async () => {
    const desk = await openCardDesk()
    await desk.ask({ ...ONE, occurredAt: soon(240_000) })
    await desk.tell('reverse', { authorizationId: 'one', occurredAt: soon() })
    expect(await desk.budget()).toEqual([30, 30, 70])
  })

  test.each(['reverse', 'expire', 'close'])(
    'of a %s that is set back still ends what was asked for before it',
    async (type) => {
      const desk = await openCardDesk()
      await desk.ask({ ...ONE, occurredAt: soon(290_000) })
      const end = { authorizationId: 'one', eventId: 'end', occurredAt: soon(310_000) }
      await desk.tell(type, end)
      expect(await desk.budget()).toEqual([0, 0, 100])
      // Told again after more was asked for, it ends nothing more.
      await desk.ask({ ...ONE, requestId: 'second', occurredAt: soon(295_000) })
      await desk.tell(type, end)
      expect(await desk.budget()).toEqual([30, 30, 70])
    },
  )
})
