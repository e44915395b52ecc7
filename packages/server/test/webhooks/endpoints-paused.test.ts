import { describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { createRegistry } from '../../src/metrics/registry.ts'
import { watchStored } from '../../src/process/observation/stored-figures.ts'
import type { Attempt } from '../../src/webhooks/attempt.ts'
import { noteHealth } from '../../src/webhooks/endpoint-health.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { answerWith } from '../support/receiver.ts'
import { recordLog } from '../support/recorded-log.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { afterAttempts, deliveriesOf, settled } from '../support/webhooks.ts'
import { changeEndpoints, endpointsOf, stageEndpoints, twoEndpoints } from './endpoint-stage.ts'

const NOON = Date.parse('2026-11-15T12:00Z')
const DAY_MS = 86_400_000

describe('an endpoint whose every attempt fails', () => {
  const stage = stageEndpoints()

  /** Queues a test event at this time. Retries of earlier ones may come first. */
  async function sendAt(at: number, endpointId: string): Promise<string> {
    const { app, acme } = stage()
    app.clock.now = at
    const test = { event: 'transaction.approved', endpointId }
    const { id } = bodyOf(await acme.post('/webhooks/test', test))
    app.wakeDispatcher()
    return id
  }
  async function attemptAt(at: number, endpointId: string): Promise<void> {
    await afterAttempts(stage().acme, await sendAt(at, endpointId), 1)
  }
  const stateOf = async (id: string) =>
    (await endpointsOf(stage().acme)).find((one) => one.id === id)

  test('for five days is paused, and its deliveries wait until it is resumed', async () => {
    const { app, acme, first, second } = stage()
    const { one, other } = await twoEndpoints(stage())
    second.behave(answerWith(500))
    await attemptAt(NOON, other.id)
    await waitUntil(async () => (await stateOf(other.id))?.failingSince !== null)
    await attemptAt(NOON + 4 * DAY_MS, other.id)
    expect(await stateOf(other.id)).toMatchObject({ status: 'active', pausedReason: null })
    const last = await sendAt(NOON + 5 * DAY_MS + 60_000, other.id)
    await waitUntil(async () => (await stateOf(other.id))?.status === 'paused')
    expect(await stateOf(other.id)).toMatchObject({ pausedReason: 'failing' })
    expect(await stateOf(one.id)).toMatchObject({ status: 'active', failingSince: null })
    const { agentId } = await anActiveMandate(acme)
    app.clock.now = NOON + 30 * DAY_MS
    const { transactionId } = await evaluate(acme, agentId)
    await waitUntil(() => first.received.length === 1)
    const told = second.received.filter(({ body }) => body.includes(`${transactionId}`))
    expect(told).toEqual([])
    const waiting = await deliveriesOf(acme, `?endpointId=${other.id}&status=pending`)
    expect(waiting.map(({ id }) => id)).toContain(last)
    second.behave(answerWith(200))
    await changeEndpoints(acme, [{ id: one.id }, { id: other.id, status: 'active' }])
    app.wakeDispatcher()
    await settled(acme, last)
    await waitUntil(() => second.received.some(({ body }) => body.includes(`${transactionId}`)))
    await waitUntil(async () => (await stateOf(other.id))?.failingSince === null)
  })

  test('for five days is in the log once, and the metrics count it with what waits', async () => {
    const { app, acme } = stage()
    const { other } = await twoEndpoints(stage())
    const { log, lines } = recordLog()
    const { db } = app.database
    const endpoint = { organizationId: acme.organizationId, endpointId: toUuid('whe', other.id) }
    const fail = (failingSince: number | null, endedAt: number) =>
      noteHealth({ db, log }, { ...endpoint, failingSince } as Attempt, {
        outcome: 'failed',
        endedAt,
      })
    await fail(null, NOON)
    await fail(NOON, NOON + 4 * DAY_MS)
    expect(lines).toEqual([])
    await fail(NOON, NOON + 5 * DAY_MS)
    await fail(NOON, NOON + 6 * DAY_MS)
    expect(lines).toMatchObject([{ event: 'webhooks.endpoint_paused', endpointId: other.id }])
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    const figureOf = async (name: 'endpoints_paused' | 'paused_deliveries') => {
      const registry = createRegistry()
      watchStored(registry, { db, log, now: Date.now, paths: new Map() })
      return (await registry.read())[`purser_webhook_${name}`]?.[0]?.value
    }
    await waitUntil(async () => (await figureOf('paused_deliveries')) === 1)
    expect(await figureOf('endpoints_paused')).toBe(1)
  })

  test('but one is not paused', async () => {
    const { second } = stage()
    const { other } = await twoEndpoints(stage())
    second.behave(answerWith(500))
    await attemptAt(NOON, other.id)
    await waitUntil(async () => (await stateOf(other.id))?.failingSince !== null)
    second.behave(answerWith(200))
    await attemptAt(NOON + 2 * DAY_MS, other.id)
    await waitUntil(async () => (await stateOf(other.id))?.failingSince === null)
    second.behave(answerWith(500))
    await attemptAt(NOON + 6 * DAY_MS, other.id)
    await waitUntil(async () => (await stateOf(other.id))?.failingSince !== null)
    expect(await stateOf(other.id)).toMatchObject({ status: 'active' })
  })

  test('is paused too if it is the only one, and a new URL resumes it', async () => {
    const { app, acme, first, second } = stage()
    bodyOf(await acme.patch('/organization', { webhookUrl: first.url }))
    const [own] = await endpointsOf(acme)
    first.behave(answerWith(500))
    await attemptAt(NOON, own?.id ?? '')
    await waitUntil(async () => (await stateOf(own?.id ?? ''))?.failingSince !== null)
    await sendAt(NOON + 6 * DAY_MS, own?.id ?? '')
    await waitUntil(async () => (await stateOf(own?.id ?? ''))?.status === 'paused')
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId)
    expect(await deliveriesOf(acme, `?transactionId=${transactionId}`)).toMatchObject([
      { status: 'pending', nextAttemptAt: null },
    ])
    bodyOf(await acme.patch('/organization', { webhookUrl: second.url }))
    app.wakeDispatcher()
    await waitUntil(() => second.received.some(({ body }) => body.includes(`${transactionId}`)))
    expect(await stateOf(own?.id ?? '')).toMatchObject({ status: 'active' })
  })
})
