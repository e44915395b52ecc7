import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../../../server/test/support/tcp-proxy.ts'
import type { Hold, OutcomeUnknownError } from '../../src/index.ts'
import { aGateway, anAgent, aSpend, errorOf, faultyFetch, lost, type Place } from './fixtures.ts'

describe('a spend over a bad connection', () => {
  let place: Place
  let proxy: TcpProxy

  beforeAll(async () => {
    place = await aGateway()
    proxy = await startTcpProxy(place.baseUrl)
  })
  afterAll(async () => {
    await proxy.close()
    await place.app.stop()
  })

  const charge = () =>
    vi.fn((hold: Hold) => {
      hold.settle(5)
      return 'bought'
    })

  test.each(['/gateway/evaluate', '/settle'])(
    'loses the answer of %s, and spends once',
    async (path) => {
      const { purser, budget } = await anAgent({ ...place, baseUrl: proxy.url })
      const cut = proxy.cutAnswerTo(path)
      const run = charge()
      const outcome = await purser.spend(aSpend(20), run)
      expect(outcome).toMatchObject({ result: 'bought', status: 'settled', settledAmount: 5 })
      expect(run).toHaveBeenCalledTimes(1)
      expect(cut.repeats).toBe(1)
      expect(await budget()).toEqual({ spent: 5, held: 0 })
    },
  )

  test('loses the answer of the void, and releases the hold', async () => {
    const { purser, budget } = await anAgent({ ...place, baseUrl: proxy.url })
    const cut = proxy.cutAnswerTo('/void')
    const outcome = await purser.spend(aSpend(20), (hold) => hold.void())
    expect(outcome).toMatchObject({ status: 'voided' })
    expect(cut.repeats).toBe(1)
    expect(await budget()).toEqual({ spent: 0, held: 0 })
  })

  test('does not run the function twice for a key of the caller whose answer was lost', async () => {
    const { purser, budget } = await anAgent({ ...place, baseUrl: proxy.url })
    proxy.cutAnswerTo('/gateway/evaluate')
    const run = charge()
    const options = { idempotencyKey: 'order-1' }
    expect(await errorOf(purser.spend(aSpend(20), run, options))).toMatchObject({
      code: 'spend_repeated',
    })
    expect(run).not.toHaveBeenCalled()
    const outcome = await purser.spend(aSpend(20), run, { ...options, resume: true })
    expect(outcome).toMatchObject({ settledAmount: 5 })
    expect(await budget()).toEqual({ spent: 5, held: 0 })
  })

  /** A client that loses requests to this path, or the answers to them. */
  function badAgent(path: string, isSent: boolean) {
    let isBad = true
    const fetch = faultyFetch(async (url, send) => {
      if (!isBad || !url.includes(path)) return send()
      if (isSent) await send()
      throw lost()
    })
    const mend = () => {
      isBad = false
    }
    return anAgent(place, { fetch }).then((agent) => ({ ...agent, mend }))
  }

  test('keeps the result, and what is known, when every answer of the settle is lost', async () => {
    const { purser, budget, mend } = await badAgent('/settle', true)
    const spend = purser.spend(aSpend(20), charge(), { retries: 1 })
    const error = (await errorOf(spend)) as OutcomeUnknownError<string>
    expect(error).toMatchObject({
      name: 'OutcomeUnknownError',
      code: 'settle_failed',
      charged: 5,
      result: 'bought',
      idempotencyKey: `settle-${error.transactionId}`,
      cause: { code: 'network_error', outcomeUnknown: true },
      detail: expect.stringMatching(
        /^The function charged 5, but the gateway did not confirm it: The connection to http:\S+ failed\./,
      ),
    })
    expect(await budget()).toEqual({ spent: 5, held: 0 })
    mend()
    const { idempotencyKey } = error
    const repeated = await purser.transactions.settle(
      error.transactionId,
      { amount: 5 },
      { ...(idempotencyKey !== null && { idempotencyKey }) },
    )
    expect(repeated).toMatchObject({ status: 'settled', settledAmount: 5 })
    expect(await budget()).toEqual({ spent: 5, held: 0 })
  })

  test('leaves the hold when the settle never arrives', async () => {
    const { purser, budget, mend } = await badAgent('/settle', false)
    const spend = purser.spend(aSpend(20), () => 'bought', { retries: 0 })
    const error = (await errorOf(spend)) as OutcomeUnknownError<string>
    expect(error).toMatchObject({ code: 'settle_failed', charged: 20, result: 'bought' })
    expect(await budget()).toEqual({ spent: 20, held: 20 })
    mend()
    await purser.transactions.settle(error.transactionId, { amount: 20 })
    expect(await budget()).toEqual({ spent: 20, held: 0 })
  })

  test('leaves the hold when the void never arrives', async () => {
    const { purser, budget } = await badAgent('/void', false)
    const spend = purser.spend(
      aSpend(20),
      (hold) => {
        throw hold.nothingCharged(new Error('Declined.'))
      },
      { retries: 0 },
    )
    const error = (await errorOf(spend)) as OutcomeUnknownError
    expect(error).toMatchObject({
      code: 'void_failed',
      charged: 0,
      cause: { code: 'network_error' },
      detail: expect.stringMatching(
        /^The function charged nothing, .*call `purser.transactions.void\('txn_\w+'\)`.$/,
      ),
    })
    expect(await budget()).toEqual({ spent: 20, held: 20 })
  })

  test('has both errors when the function and the settle fail', async () => {
    const { purser } = await badAgent('/settle', false)
    const spend = purser.spend(
      aSpend(20),
      (hold) => {
        hold.settle(5)
        throw new Error('The disk is full.')
      },
      { retries: 0 },
    )
    expect(await errorOf(spend)).toMatchObject({
      code: 'settle_failed',
      charged: 5,
      cause: { errors: [{ code: 'network_error' }, { message: 'The disk is full.' }] },
    })
  })

  test('does not run the function when no decision arrives', async () => {
    const { purser } = await badAgent('/gateway/evaluate', true)
    const run = charge()
    expect(await errorOf(purser.spend(aSpend(20), run, { retries: 0 }))).toMatchObject({
      name: 'ConnectionError',
      outcomeUnknown: true,
    })
    expect(run).not.toHaveBeenCalled()
  })
})
