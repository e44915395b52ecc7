import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endApprovals } from '../../../server/test/support/approvals.ts'
import type { ConnectionError, Purser } from '../../src/index.ts'
import { aGateway, anAgent, aSpend, errorOf, faultyFetch, lost, type Place } from './fixtures.ts'

describe('approvals.wait', () => {
  let place: Place

  beforeAll(async () => {
    place = await aGateway()
  })
  afterAll(() => place.app.stop())

  async function aRequest(purser: Purser): Promise<string> {
    const { evaluationDetails } = await purser.gateway.evaluate(aSpend(60))
    return evaluationDetails.approval?.id ?? ''
  }

  test('returns the approval once a person has decided', async () => {
    const { purser } = await anAgent(place)
    const id = await aRequest(purser)
    const waiting = purser.approvals.wait(id)
    await place.approver.approvals.decide(id, { decision: 'approve', comment: 'Fine.' })
    expect(await waiting).toMatchObject({ id, status: 'approved', permit: { maxAmount: 60 } })
    expect(await purser.approvals.wait(id)).toMatchObject({ status: 'approved' })
  })

  test('returns the approval as pending when the time is over', async () => {
    const { purser } = await anAgent(place)
    const id = await aRequest(purser)
    for (const timeoutMs of [300, 1_500, 2_200]) {
      const begun = performance.now()
      expect(await purser.approvals.wait(id, { timeoutMs })).toMatchObject({ status: 'pending' })
      expect(performance.now() - begun).toBeGreaterThan(timeoutMs - 1_100)
    }
  })

  test('returns a request that has expired', async () => {
    const { id: agentId, purser } = await anAgent(place)
    const id = await aRequest(purser)
    await endApprovals(place.app, agentId)
    expect(await purser.approvals.wait(id)).toMatchObject({ status: 'expired' })
  })

  test('survives lost connections and a gateway that is not ready', async () => {
    const faults = [
      () => Promise.reject(lost()),
      async (send: () => Promise<Response>) => {
        await send()
        throw lost()
      },
      async () => new Response('', { status: 503 }),
    ]
    let met = 0
    const fetch = faultyFetch((url, send) => {
      if (!url.includes('wait=')) return send()
      met += 1
      return faults[met - 1]?.(send) ?? send()
    })
    const { purser } = await anAgent(place, { fetch })
    const id = await aRequest(purser)
    await place.approver.approvals.decide(id, { decision: 'reject' })
    expect(await purser.approvals.wait(id)).toMatchObject({ status: 'rejected' })
    expect(met).toBe(4)
  })

  test('returns what it knew when the connection fails until the time is over', async () => {
    let met = 0
    const fetch = faultyFetch((url, send) => {
      if (!url.includes('wait=')) return send()
      met += 1
      return met === 1 ? globalThis.fetch(url.replace(/\?.*/, ''), heads()) : Promise.reject(lost())
    })
    const { purser } = await anAgent(place, { fetch })
    const heads = () => ({ headers: { authorization: `Bearer ${place.acme.apiKey}` } })
    const id = await aRequest(purser)
    expect(await purser.approvals.wait(id, { timeoutMs: 2_000 })).toMatchObject({
      status: 'pending',
    })
    const error = await errorOf(purser.approvals.wait(id, { timeoutMs: 100 }))
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'network_error' })
  })

  test('ends with an error when the signal is aborted, or the gateway refuses', async () => {
    const { purser } = await anAgent(place)
    const id = await aRequest(purser)
    const stop = new AbortController()
    const waiting = errorOf(purser.approvals.wait(id, { signal: stop.signal }))
    stop.abort()
    expect(((await waiting) as ConnectionError).code).toBe('aborted')
    const unknown = await errorOf(purser.approvals.wait(`apr_${'0'.repeat(32)}`))
    expect(unknown).toMatchObject({ code: 'approval_not_found' })
  })
})
