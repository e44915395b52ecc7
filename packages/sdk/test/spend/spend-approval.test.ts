import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { waitUntil } from '../../../server/test/support/wait-until.ts'
import type { Hold, Purser } from '../../src/index.ts'
import { aGateway, anAgent, aSpend, errorOf, type Place } from './fixtures.ts'

describe('a spend that waits for a person', () => {
  let place: Place

  beforeAll(async () => {
    place = await aGateway()
  })
  afterAll(() => place.app.stop())

  const charge = () =>
    vi.fn((hold: Hold) => {
      hold.settle(55)
      return 'bought'
    })

  /** The id of the open request of an agent, once there is one. */
  async function requestOf(purser: Purser): Promise<string> {
    let id = ''
    await waitUntil(async () => {
      const { data } = await purser.approvals.list({ status: 'pending' }).page()
      id = data[0]?.id ?? ''
      return id !== ''
    })
    return id
  }

  test('spends with the permit, and a key of its own for the second call', async () => {
    const keys: (string | null)[] = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      if (String(input).endsWith('/evaluate')) {
        keys.push(new Headers(init?.headers).get('idempotency-key'))
      }
      return globalThis.fetch(input, init)
    }
    const { purser, budget } = await anAgent(place, { fetch })
    const run = charge()
    const spend = purser.spend(aSpend(60), run, { approval: 'wait' })
    const id = await requestOf(purser)
    expect(run).not.toHaveBeenCalled()
    await place.approver.approvals.decide(id, { decision: 'approve' })
    const outcome = await spend.orThrow()
    expect(outcome).toMatchObject({ result: 'bought', settledAmount: 55 })
    expect(await budget()).toEqual({ spent: 55, held: 0 })
    expect(await purser.approvals.get(id)).toMatchObject({
      status: 'used',
      permit: { transactionId: outcome.transactionId },
    })
    expect(new Set(keys).size).toBe(2)
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('spends nothing if the person rejects', async () => {
    const { purser, budget } = await anAgent(place)
    const run = charge()
    const spend = purser.spend(aSpend(60), run, { approval: 'wait' })
    const id = await requestOf(purser)
    await place.approver.approvals.decide(id, { decision: 'reject', comment: 'Too dear.' })
    expect(await spend).toMatchObject({
      decision: 'rejected',
      code: 'approval_rejected',
      message: 'A person rejected the request for approval: Too dear.',
      approval: { id, status: 'rejected' },
    })
    expect(await errorOf(spend.orThrow())).toMatchObject({ code: 'approval_rejected' })
    expect(run).not.toHaveBeenCalled()
    expect(await budget()).toEqual({ spent: 0, held: 0 })
  })

  test('spends nothing when the time is over, and can use the approval later', async () => {
    const { purser, budget } = await anAgent(place)
    const run = charge()
    const options = { approval: 'wait', approvalTimeoutMs: 100 } as const
    const outcome = await purser.spend(aSpend(60), run, options)
    expect(outcome).toMatchObject({
      decision: 'rejected',
      code: 'approval_required',
      approval: { status: 'pending' },
    })
    expect(run).not.toHaveBeenCalled()
    const approvalId = await requestOf(purser)
    await place.approver.approvals.decide(approvalId, { decision: 'approve' })
    await purser.spend({ ...aSpend(60), approvalId }, run).orThrow()
    expect(await budget()).toEqual({ spent: 55, held: 0 })
  })

  test('spends nothing when the signal is aborted', async () => {
    const { purser, budget } = await anAgent(place)
    const stop = new AbortController()
    const run = charge()
    const spend = errorOf(purser.spend(aSpend(60), run, { approval: 'wait', signal: stop.signal }))
    await requestOf(purser)
    stop.abort()
    expect(await spend).toMatchObject({ name: 'ConnectionError', code: 'aborted' })
    expect(run).not.toHaveBeenCalled()
    expect(await budget()).toEqual({ spent: 0, held: 0 })
  })

  test('does not ask again if the person approves a smaller amount', async () => {
    const { purser } = await anAgent(place)
    const run = charge()
    const spend = purser.spend(aSpend(60), run, { approval: 'wait' })
    const id = await requestOf(purser)
    await place.approver.approvals.decide(id, { decision: 'approve', maxAmount: 55 })
    expect(await spend).toMatchObject({
      decision: 'rejected',
      code: 'approval_required',
      message: 'A person approved at most 55.',
      approval: { id, status: 'approved', permit: { maxAmount: 55 } },
    })
    expect((await purser.approvals.list({ status: 'pending' }).page()).data).toEqual([])
    const outcome = await purser.spend({ ...aSpend(55), approvalId: id }, run)
    expect(outcome).toMatchObject({ decision: 'approved', settledAmount: 55 })
  })

  test('gives the rejection at once without `approval`, or if no person can help', async () => {
    const { purser } = await anAgent(place)
    const run = charge()
    expect(await purser.spend(aSpend(60), run)).toMatchObject({
      code: 'approval_required',
      approval: null,
      evaluationDetails: { approval: { status: 'pending' } },
    })
    expect(await purser.spend(aSpend(200), run, { approval: 'wait' })).toMatchObject({
      code: 'budget_exceeded',
      approval: null,
    })
    expect(run).not.toHaveBeenCalled()
  })

  test('gives one permit to one of two spends that wait for it', async () => {
    const { purser, budget } = await anAgent(place)
    const run = charge()
    const options = { approval: 'wait' } as const
    const spends = [1, 2].map(() => purser.spend(aSpend(60), run, options))
    const id = await requestOf(purser)
    await waitUntil(async () => (await purser.approvals.get(id)).alike === 2)
    await place.approver.approvals.decide(id, { decision: 'approve' })
    const decisions = (await Promise.all(spends)).map(({ decision }) => decision)
    expect(decisions.toSorted()).toEqual(['approved', 'rejected'])
    expect(run).toHaveBeenCalledTimes(1)
    expect(await budget()).toEqual({ spent: 55, held: 0 })
  })

  test('finds the same spend again by the key of the caller', async () => {
    const { purser, budget } = await anAgent(place)
    const run = charge()
    const options = { approval: 'wait', idempotencyKey: 'order-1' } as const
    const spend = purser.spend(aSpend(60), run, options)
    await place.approver.approvals.decide(await requestOf(purser), { decision: 'approve' })
    const { transactionId } = await spend.orThrow()
    const error = await errorOf(purser.spend(aSpend(60), run, options))
    expect(error).toMatchObject({ code: 'hold_closed' })
    expect(error).toMatchObject({ message: expect.stringContaining(transactionId) })
    expect(run).toHaveBeenCalledTimes(1)
    expect(await budget()).toEqual({ spent: 55, held: 0 })
    const long = { ...options, idempotencyKey: 'k'.repeat(201) }
    expect(await errorOf(purser.spend(aSpend(60), run, long))).toMatchObject({
      code: 'invalid_option',
    })
  })
})
