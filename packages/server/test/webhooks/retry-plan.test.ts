import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnswerBody } from '../support/answer-body.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { usualEngine } from '../support/database.ts'
import { answerWith, type Behaviour, type Receiver, startReceiver } from '../support/receiver.ts'
import { type RecordedLog, recordLog } from '../support/recorded-log.ts'
import { waitUntil } from '../support/wait-until.ts'
import {
  afterARound,
  afterAttempts,
  aSubscriber,
  aTestEvent,
  deliveryOf,
  requestTo,
  subscribe,
  turnToNextAttempt,
} from '../support/webhooks.ts'

const NOON = Date.parse('2026-11-15T12:00Z')
const PLAN = [5_000, 30_000, 180_000, 1_080_000]

let app: TestApp
let receiver: Receiver
let probed: Receiver
let acme: Owner
/** Another organization, whose deliveries show that the dispatcher has looked. */
let probe: Owner

beforeAll(async () => {
  app = await createTestApp()
  probed = await startReceiver()
  probe = await aSubscriber(app, probed)
})
afterAll(async () => {
  await app.stop()
  await probed.close()
})
beforeEach(async () => {
  app.clock.now = NOON
  receiver = await startReceiver(answerWith(503))
  acme = await aSubscriber(app, receiver)
})
afterEach(async () => {
  app.clock.now = undefined
  await receiver.close()
})

/** How long is waited after the last attempt that has ended, by the log. */
function waitIn({ attemptLog }: AnswerBody): number {
  const last = attemptLog.findLast(({ outcome }) => outcome === 'failed')
  const ended = Date.parse(last?.startedAt ?? '') + (last?.durationMs ?? 0)
  return Date.parse(last?.nextAttemptAt ?? '') - ended
}

async function waitAfter(id: string, attempts: number): Promise<number> {
  return waitIn(await afterAttempts(acme, id, attempts))
}

function expectWithin(wait: number, base: number, [from, to]: readonly [number, number]): void {
  expect(wait).toBeGreaterThanOrEqual(base * from)
  expect(wait).toBeLessThanOrEqual(base * to)
}

describe('a delivery that keeps failing', () => {
  test('is tried five times, after about 5 s, 30 s, 3 min and 18 min, and never before its time', async () => {
    const { id } = await aTestEvent(acme)
    for (const [index, base] of PLAN.entries()) {
      expectWithin(await waitAfter(id, index + 1), base, [0.8, 1.2])
      await turnToNextAttempt(app, acme, id, -1)
      await afterARound(probe)
      expect(receiver.received).toHaveLength(index + 1)
      await turnToNextAttempt(app, acme, id)
      await requestTo(receiver, index + 2)
    }
    const failed = await afterAttempts(acme, id, 5)
    expect(failed).toMatchObject({ status: 'failed', attempts: 5, nextAttemptAt: null })
    expect(failed.attemptLog.map(({ outcome }) => outcome)).toEqual(Array(5).fill('failed'))

    app.clock.now = NOON + 400 * 86_400_000
    await afterARound(probe)
    expect(receiver.received).toHaveLength(5)
  })

  test('tells in the log when it was to be tried next, and was', async () => {
    const { id } = await aTestEvent(acme)
    for (const attempts of [1, 2, 3, 4]) {
      await afterAttempts(acme, id, attempts)
      await turnToNextAttempt(app, acme, id)
    }
    const { attemptLog } = await afterAttempts(acme, id, 5)
    const announced = attemptLog.map(({ nextAttemptAt }) => nextAttemptAt)
    const started = attemptLog.map(({ startedAt }) => startedAt)
    expect(announced).toEqual([...started.slice(1), null])
  })

  test('sends the same bytes and the same webhook-id every time, with the time of that attempt', async () => {
    const { id, eventId } = await aTestEvent(acme)
    const times: number[] = []
    for (const attempts of [1, 2, 3]) {
      times.push(Math.floor((app.clock.now ?? 0) / 1_000))
      await afterAttempts(acme, id, attempts)
      await turnToNextAttempt(app, acme, id)
    }
    await requestTo(receiver, 4)
    const sent = receiver.received.slice(0, 3)
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
    expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(eventId))
    expect(sent.map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual(times)
  })

  test('ends with the first 2xx', async () => {
    const { id } = await aTestEvent(acme)
    await afterAttempts(acme, id, 1)
    await turnToNextAttempt(app, acme, id)
    await afterAttempts(acme, id, 2)
    receiver.behave(answerWith(204))
    await turnToNextAttempt(app, acme, id)
    expect(await afterAttempts(acme, id, 3)).toMatchObject({
      status: 'succeeded',
      lastStatusCode: 204,
      lastError: null,
      nextAttemptAt: null,
    })
    app.clock.now = (app.clock.now ?? 0) + 86_400_000
    await afterARound(probe)
    expect(receiver.received).toHaveLength(3)
  })
})

describe('a receiver that says Retry-After', () => {
  const asking = (status: number, retryAfter: string): Behaviour =>
    answerWith(status, { 'retry-after': retryAfter })

  test.each([
    ['less than the plan', 429, '1', [0.8, 1.2]],
    ['more than the plan', 429, '8', [1.6, 1.6]],
    ['more than twice the plan', 429, '3600', [2, 2]],
    ['it with a 503', 503, '8', [1.6, 1.6]],
    ['it with a 410', 410, '9', [1.8, 1.8]],
    ['nonsense', 429, 'later', [0.8, 1.2]],
    ['a date', 429, new Date(NOON + 7_000).toUTCString(), [1.2, 1.4]],
    ['a date in the past', 429, new Date(NOON - 7_000).toUTCString(), [0.8, 1.2]],
  ] as const)('and asks for %s is given the plan or up to twice of it', async (...row) => {
    const [, status, retryAfter, range] = row
    receiver.behave(asking(status, retryAfter))
    const { id } = await aTestEvent(acme)
    expectWithin(await waitAfter(id, 1), 5_000, range)
  })

  test('cannot keep a delivery open for longer than twice the plan', async () => {
    receiver.behave(asking(429, '999999999'))
    const { id } = await aTestEvent(acme)
    const waits: number[] = []
    for (const attempts of [1, 2, 3, 4]) {
      waits.push(await waitAfter(id, attempts))
      await turnToNextAttempt(app, acme, id)
    }
    expect(await afterAttempts(acme, id, 5)).toMatchObject({ status: 'failed' })
    expect(waits).toEqual(PLAN.map((base) => 2 * base))
  })
})

describe('a plan of two retries', () => {
  let other: TestApp
  let recorded: RecordedLog

  beforeEach(async () => {
    recorded = recordLog()
    const webhooks = { retryDelaysMs: [1_000, 60_000] }
    other = await createTestApp(usualEngine(), { webhooks }, recorded.log)
    other.clock.now = NOON
  })
  afterEach(() => other.stop())

  test('makes three attempts at its own times', async () => {
    const globex = await aSubscriber(other, receiver)
    const { id } = await aTestEvent(globex)
    const waits: number[] = []
    for (const attempts of [1, 2]) {
      waits.push(waitIn(await afterAttempts(globex, id, attempts)))
      await turnToNextAttempt(other, globex, id)
    }
    expectWithin(waits[0] ?? 0, 1_000, [0.8, 1.2])
    expectWithin(waits[1] ?? 0, 60_000, [0.8, 1.2])
    await afterAttempts(globex, id, 3)
    expect(await deliveryOf(globex, id)).toMatchObject({ status: 'failed', attempts: 3 })
  })

  test.each([
    ['an answer', 503, 'status'],
    ['no answer', null, 'connection_lost'],
  ])(
    'leaves one line in the log of the gateway when the last ends with %s, without the URL',
    async (...row) => {
      const [, statusCode, errorClass] = row
      if (statusCode === null) receiver.behave((response) => response.destroy())
      const globex = await aSubscriber(other, receiver)
      await subscribe(globex, `${receiver.url}?token=hunter2`)
      const { id } = await aTestEvent(globex)
      for (const attempts of [1, 2]) {
        await afterAttempts(globex, id, attempts)
        expect(recorded.lines).toEqual([])
        await turnToNextAttempt(other, globex, id)
      }
      await waitUntil(() => recorded.lines.length > 0)
      const { organizationId } = globex
      const told = { organizationId, deliveryId: id, statusCode, errorClass, attempts: 3 }
      expect(recorded.lines).toMatchObject([{ level: 40, ...told }])
      expect(JSON.stringify(recorded.lines)).not.toMatch(/hunter2|127\.0\.0\.1|whsec_/)
    },
  )
})
