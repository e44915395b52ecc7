import { afterAll, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest'
import {
  type ApprovedSpend,
  type Hold,
  OutcomeUnknownError,
  PurserError,
  type RejectedSpend,
  SpendRejectedError,
} from '../../src/index.ts'
import { aGateway, anAgent, aSpend, errorOf, type Place } from './fixtures.ts'

describe('spend', () => {
  let place: Place

  beforeAll(async () => {
    place = await aGateway()
  })
  afterAll(() => place.app.stop())

  test('holds, runs the function, and settles to what it cost', async () => {
    const { purser, budget } = await anAgent(place)
    const outcome = await purser.spend(aSpend(20), async (hold) => {
      expect(await budget()).toEqual({ spent: 20, held: 20 })
      hold.settle(12.4)
      return { answer: 42, holdId: hold.transactionId }
    })
    expect(outcome).toMatchObject({ decision: 'approved', status: 'settled', settledAmount: 12.4 })
    expectTypeOf(outcome).toEqualTypeOf<
      ApprovedSpend<{ answer: number; holdId: string }> | RejectedSpend
    >()
    if (outcome.decision !== 'approved') throw new Error(outcome.message)
    expect(outcome.result).toEqual({ answer: 42, holdId: outcome.transactionId })
    expect(await budget()).toEqual({ spent: 12.4, held: 0 })
  })

  test('settles the held amount if the function names none', async () => {
    const { purser, budget } = await anAgent(place)
    const { result, settledAmount } = await purser.spend(aSpend(20), () => 'bought').orThrow()
    expect([result, settledAmount]).toEqual(['bought', 20])
    expect(await budget()).toEqual({ spent: 20, held: 0 })
  })

  test('gives a rejection as a value or as an error, and does not run the function', async () => {
    const { purser, budget } = await anAgent(place)
    await purser.spend(aSpend(45), () => {}).orThrow()
    await purser.spend(aSpend(45), () => {}).orThrow()
    const run = vi.fn(async () => 'bought')
    const outcome = await purser.spend(aSpend(45), run)
    expect(outcome).toMatchObject({
      decision: 'rejected',
      code: 'budget_exceeded',
      evaluationDetails: { next: { maxAmountNow: 10 } },
      approval: null,
    })
    const error = await errorOf(purser.spend(aSpend(45), run).orThrow())
    expect(error).toBeInstanceOf(SpendRejectedError)
    expect(error).toMatchObject({ code: 'budget_exceeded', decision: { decision: 'rejected' } })
    expect(run).not.toHaveBeenCalled()
    expect(await budget()).toEqual({ spent: 90, held: 0 })
  })

  test.each([
    ['void()', (hold: Hold) => hold.void()],
    ['settle(0)', (hold: Hold) => hold.settle(0)],
  ])('releases the hold when the function calls %s', async (_, say) => {
    const { purser, budget } = await anAgent(place)
    const outcome = await purser.spend(aSpend(20), (hold) => {
      say(hold)
      return 'from the cache'
    })
    expect(outcome).toMatchObject({
      decision: 'approved',
      status: 'voided',
      settledAmount: 0,
      result: 'from the cache',
    })
    expect(await budget()).toEqual({ spent: 0, held: 0 })
  })

  test('releases the hold when the function throws that nothing was charged', async () => {
    const { purser, budget } = await anAgent(place)
    const cause = new Error('The card was declined.')
    let made: unknown
    const error = await errorOf(
      purser.spend(aSpend(20), (hold) => {
        made = hold.nothingCharged(cause)
        throw made
      }),
    )
    expect(error).toBe(made)
    expect(error).toMatchObject({ code: 'nothing_charged', cause })
    expect((error as Error).message).toBe('The function charged nothing: The card was declined.')
    expect(await budget()).toEqual({ spent: 0, held: 0 })
  })

  test('leaves the hold when the function throws anything else, and says how to close it', async () => {
    const { purser, budget } = await anAgent(place)
    const cause = new Error('The vendor did not answer in time.')
    const spend = purser.spend({ ...aSpend(20), hold: { expiresIn: '15m' } }, () => {
      throw cause
    })
    const error = (await errorOf(spend)) as OutcomeUnknownError
    expect(error).toBeInstanceOf(OutcomeUnknownError)
    expect(PurserError.is(error)).toBe(true)
    const { transactionId, expiresAt } = error
    expect(error).toMatchObject({
      code: 'outcome_unknown',
      outcomeUnknown: true,
      amount: 20,
      charged: null,
      result: undefined,
      cause,
    })
    expect(await purser.transactions.get(transactionId)).toMatchObject({
      status: 'held',
      heldAmount: 20,
      expiresAt,
    })
    expect(error.detail).toBe(
      `The function failed and did not say whether it charged. The hold of 20 on transaction ${transactionId} lasts until ${expiresAt}. Close it: call \`purser.transactions.settle('${transactionId}', { amount })\` if money moved, or \`purser.transactions.void('${transactionId}')\` if no money moved.`,
    )
    await purser.transactions.settle(transactionId, { amount: 7 })
    expect(await budget()).toEqual({ spent: 7, held: 0 })
  })

  test('lets a slow answer of the vendor close the hold after the function failed', async () => {
    const { purser, budget } = await anAgent(place)
    let late: Hold | undefined
    const spend = purser.spend(aSpend(20), (hold) => {
      late = hold
      throw new Error('Gave up waiting.')
    })
    expect(await errorOf(spend)).toMatchObject({ code: 'outcome_unknown' })
    late?.settle(7)
    await expect.poll(budget).toEqual({ spent: 7, held: 0 })
  })

  test('gives the error of a function that threw after it had closed the hold', async () => {
    const { purser, budget } = await anAgent(place)
    const cause = new Error('The disk is full.')
    const spend = purser.spend(aSpend(20), (hold) => {
      hold.settle(5)
      throw cause
    })
    expect(await errorOf(spend)).toBe(cause)
    expect(await budget()).toEqual({ spent: 5, held: 0 })
  })

  test('refuses a second statement about the same hold', async () => {
    const { purser, budget } = await anAgent(place)
    const spend = purser.spend(aSpend(20), (hold) => {
      hold.settle(5)
      hold.void()
    })
    expect(await errorOf(spend)).toMatchObject({
      code: 'hold_closed',
      detail: 'The function has already said that 5 was charged.',
    })
    expect(await budget()).toEqual({ spent: 5, held: 0 })
  })

  test('keeps the result when the cost was above the hold', async () => {
    const { purser, budget } = await anAgent(place)
    const spend = purser.spend(aSpend(20), (hold) => {
      hold.settle(25)
      return 'bought'
    })
    const error = (await errorOf(spend)) as OutcomeUnknownError
    expect(error).toMatchObject({
      name: 'OutcomeUnknownError',
      code: 'settle_failed',
      charged: 25,
      result: 'bought',
      cause: { code: 'amount_above_hold' },
    })
    expect(error.detail).toMatch(
      /^The function charged 25, but the gateway did not confirm it: The hold is for 20. Evaluate any amount charged beyond it as a separate spend. .* call `purser.transactions.settle\('txn_\w+', { amount: 20 }\)`.$/,
    )
    expect(await budget()).toEqual({ spent: 20, held: 20 })
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, -1, '5'])(
    'keeps the hold on settle(%s)',
    async (wrong) => {
      const { purser, budget } = await anAgent(place)
      const spend = purser.spend(aSpend(20), (hold) => {
        hold.settle(wrong as number)
        return 'bought'
      })
      expect(await errorOf(spend)).toMatchObject({
        code: 'settle_failed',
        charged: null,
        result: 'bought',
        cause: { code: 'invalid_amount' },
      })
      expect(await budget()).toEqual({ spent: 20, held: 20 })
    },
  )

  test('does not run the function with a key that cannot settle', async () => {
    const { purser } = await anAgent(place, { scopes: ['gateway:read', 'gateway:write'] })
    const run = vi.fn()
    expect(await errorOf(purser.spend(aSpend(20), run))).toMatchObject({
      name: 'PermissionError',
      code: 'insufficient_scope',
      detail: expect.stringMatching(/lacks the scope transactions:write.*did not run/),
    })
    expect(run).not.toHaveBeenCalled()
  })
})
