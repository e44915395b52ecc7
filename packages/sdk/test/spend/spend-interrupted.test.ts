import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { endHolds } from '../../../server/test/support/spends.ts'
import type { Hold, OutcomeUnknownError } from '../../src/index.ts'
import { aGateway, anAgent, aSpend, errorOf, faultyFetch, type Place } from './fixtures.ts'

describe('a spend', () => {
  let place: Place

  beforeAll(async () => {
    place = await aGateway()
  })
  afterAll(() => place.app.stop())

  describe('whose hold expired meanwhile', () => {
    test('says so if an agent’s key can no longer settle', async () => {
      const { id, purser } = await anAgent(place)
      const spend = purser.spend(aSpend(20), async (hold) => {
        await endHolds(place.app, id)
        hold.settle(5)
        return 'bought'
      })
      const error = (await errorOf(spend)) as OutcomeUnknownError
      expect(error).toMatchObject({
        code: 'settle_failed',
        charged: 5,
        result: 'bought',
        cause: { code: 'transaction_state', problem: { transactionStatus: 'expired' } },
      })
      expect(error.detail).toContain('settle it with a key that is not bound to agents')
      const settled = await place.owner.transactions.settle(error.transactionId, { amount: 5 })
      expect(settled).toMatchObject({ status: 'settled', settledAmount: 5 })
    })

    test('is booked with a key of the organization', async () => {
      const { id: agentId, budget } = await anAgent(place)
      const outcome = await place.owner.spend({ ...aSpend(20), agentId }, async (hold) => {
        await endHolds(place.app, agentId)
        hold.settle(5)
      })
      expect(outcome).toMatchObject({ status: 'settled', settledAmount: 5 })
      expect(await budget()).toEqual({ spent: 5, held: 0 })
    })

    test('needs no void', async () => {
      const { id, purser } = await anAgent(place)
      const outcome = await purser.spend(aSpend(20), async (hold) => {
        await endHolds(place.app, id)
        hold.void()
      })
      expect(outcome).toMatchObject({ decision: 'approved', status: 'expired', settledAmount: 0 })
    })
  })

  test('does not run the function if the decision came after the hold may have expired', async () => {
    const now = performance.now.bind(performance)
    const fetch = faultyFetch(async (url, send) => {
      const response = await send()
      if (url.endsWith('/evaluate')) {
        vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000)
      }
      return response
    })
    onTestFinished(() => void vi.restoreAllMocks())
    const { purser, budget } = await anAgent(place, { fetch })
    const run = vi.fn()
    const spend = purser.spend({ ...aSpend(20), hold: { expiresIn: '10s' } }, run)
    expect(await errorOf(spend)).toMatchObject({
      name: 'ConnectionError',
      code: 'timeout',
      detail: expect.stringMatching(/^The decision came so late .* its hold is released.$/),
    })
    expect(run).not.toHaveBeenCalled()
    await expect.poll(budget).toEqual({ spent: 0, held: 0 })
  })

  describe('with a signal', () => {
    test('sends nothing if it is aborted before', async () => {
      const { purser, budget } = await anAgent(place)
      const run = vi.fn()
      const error = await errorOf(purser.spend(aSpend(20), run, { signal: AbortSignal.abort() }))
      expect(error).toMatchObject({ name: 'ConnectionError', code: 'aborted' })
      expect(run).not.toHaveBeenCalled()
      expect(await budget()).toEqual({ spent: 0, held: 0 })
    })

    test('releases the hold if it is aborted before the function runs', async () => {
      const stop = new AbortController()
      const fetch = faultyFetch(async (_, send) => {
        const response = await send()
        const body = await response.text()
        stop.abort()
        return new Response(body, response)
      })
      const { purser, budget } = await anAgent(place, { fetch })
      const run = vi.fn()
      const error = await errorOf(purser.spend(aSpend(20), run, { signal: stop.signal }))
      expect(error).toMatchObject({
        code: 'aborted',
        detail: 'The caller aborted the spend. The function did not run, and its hold is released.',
      })
      expect(run).not.toHaveBeenCalled()
      expect(await budget()).toEqual({ spent: 0, held: 0 })
    })

    test('settles nevertheless if it is aborted while the function runs', async () => {
      const { purser, budget } = await anAgent(place)
      const stop = new AbortController()
      const run = (hold: Hold) => {
        stop.abort()
        hold.settle(5)
        return 'bought'
      }
      const outcome = await purser.spend(aSpend(20), run, { signal: stop.signal })
      expect(outcome).toMatchObject({ result: 'bought', settledAmount: 5 })
      expect(await budget()).toEqual({ spent: 5, held: 0 })
    })

    test('leaves the hold if the function gives up because of it', async () => {
      const { purser, budget } = await anAgent(place)
      const stop = new AbortController()
      const { signal } = stop
      const run = () => {
        stop.abort(new Error('Enough.'))
        signal.throwIfAborted()
      }
      const error = await errorOf(purser.spend(aSpend(20), run, { signal }))
      expect(error).toMatchObject({ code: 'outcome_unknown', cause: { message: 'Enough.' } })
      expect(await budget()).toEqual({ spent: 20, held: 20 })
    })
  })

  describe('with an idempotency key of the caller', () => {
    test('runs the function once', async () => {
      const { purser, budget } = await anAgent(place)
      const run = vi.fn(() => 'bought')
      const options = { idempotencyKey: 'order-1' }
      const first = await purser.spend(aSpend(20), run, options).orThrow()
      const error = await errorOf(purser.spend(aSpend(20), run, options))
      expect(error).toMatchObject({
        name: 'ConflictError',
        code: 'hold_closed',
        detail: expect.stringContaining(
          `transaction ${first.transactionId} is settled, with 20 settled`,
        ),
      })
      expect(run).toHaveBeenCalledTimes(1)
      expect(await budget()).toEqual({ spent: 20, held: 0 })
    })

    test('runs it again on the same hold with `resume`, as long as the hold is open', async () => {
      const { purser, budget } = await anAgent(place)
      const options = { idempotencyKey: 'order-2', resume: true }
      const dies = () => {
        throw new Error('The process died.')
      }
      const error = (await errorOf(purser.spend(aSpend(20), dies, options))) as OutcomeUnknownError
      const run = vi.fn((hold: Hold) => hold.settle(5))
      const outcome = await purser.spend(aSpend(20), run, options)
      expect(outcome).toMatchObject({ transactionId: error.transactionId, settledAmount: 5 })
      expect(await errorOf(purser.spend(aSpend(20), run, options))).toMatchObject({
        name: 'ConflictError',
        code: 'hold_closed',
        detail: expect.stringMatching(/is settled, with 5 settled. The function did not run again/),
      })
      expect(run).toHaveBeenCalledTimes(1)
      expect(await budget()).toEqual({ spent: 5, held: 0 })
    })

    test('keeps the hold of an earlier run when the signal is aborted', async () => {
      const stop = new AbortController()
      let abortsAfter = 2
      const fetch = faultyFetch(async (url, send) => {
        const response = await send()
        const body = await response.text()
        if (url.endsWith('/evaluate')) abortsAfter -= 1
        if (abortsAfter === 0) stop.abort()
        return new Response(body, response)
      })
      const { purser, budget } = await anAgent(place, { fetch })
      const options = { idempotencyKey: 'order-4', resume: true, signal: stop.signal }
      const run = vi.fn(() => {
        throw new Error('The process died.')
      })
      const begun = await errorOf(purser.spend(aSpend(20), run, options))
      expect(begun).toMatchObject({ code: 'outcome_unknown' })
      const error = await errorOf(purser.spend(aSpend(20), run, options))
      expect(error).toMatchObject({ code: 'spend_repeated' })
      expect(run).toHaveBeenCalledTimes(1)
      expect(await budget()).toEqual({ spent: 20, held: 20 })
    })

    test('gets the stored rejection again', async () => {
      const { purser } = await anAgent(place)
      const run = vi.fn()
      const options = { idempotencyKey: 'order-3' }
      const first = await purser.spend(aSpend(200), run, options)
      expect(await purser.spend(aSpend(200), run, options)).toEqual(first)
      expect(run).not.toHaveBeenCalled()
    })
  })
})
