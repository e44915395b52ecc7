import assert from 'node:assert/strict'
import type { EventKind } from '../../src/core/events/event.ts'
import type { AnswerBody } from './answer-body.ts'
import type { Client, Owner, TestApp } from './app.ts'
import { bodyOf } from './builders.ts'
import type { Received, Receiver } from './receiver.ts'
import { waitUntil } from './wait-until.ts'

/** Creates an organization whose events go to the receiver. */
export async function aSubscriber(app: TestApp, receiver: Receiver): Promise<Owner> {
  const owner = await app.organization()
  await subscribe(owner, receiver.url)
  return owner
}

export async function subscribe(client: Client, webhookUrl: string | null): Promise<void> {
  bodyOf(await client.patch('/organization', { webhookUrl }))
}

/** Queues a sample event and returns its delivery in its state at that moment. */
export async function aTestEvent(
  client: Client,
  event: EventKind = 'transaction.approved',
): Promise<AnswerBody> {
  return bodyOf(await client.post('/webhooks/test', { event }))
}

/** Returns the deliveries newest first. */
export async function deliveriesOf(client: Client, query = ''): Promise<readonly AnswerBody[]> {
  return bodyOf(await client.get(`/webhooks/deliveries${query}`)).data
}

export async function deliveryOf(client: Client, id: string): Promise<AnswerBody> {
  return bodyOf(await client.get(`/webhooks/deliveries/${id}`))
}

/** Waits until this many attempts have ended. */
export async function afterAttempts(
  client: Client,
  id: string,
  count: number,
): Promise<AnswerBody> {
  await waitUntil(async () => (await deliveryOf(client, id)).attempts >= count)
  return deliveryOf(client, id)
}

/** Waits until the gateway has finished with the delivery. */
export async function settled(client: Client, id: string): Promise<AnswerBody> {
  await waitUntil(async () => (await deliveryOf(client, id)).status !== 'pending')
  return deliveryOf(client, id)
}

/** Waits for the request with this number, counted from one. */
export async function requestTo(receiver: Receiver, number: number): Promise<Received> {
  await waitUntil(() => receiver.received.length >= number)
  const request = receiver.received[number - 1]
  assert(request)
  return request
}

/** The number of concurrent requests to a receiver about which nothing is known yet. */
const LANE_START = 2

/**
 * Makes the receiver hang with the maximum number of concurrent requests, so that the next one has
 * to wait.
 */
export async function fillLane(owner: Owner, receiver: Receiver): Promise<readonly string[]> {
  receiver.behave(() => {})
  const ids: string[] = []
  for (let n = 0; n < LANE_START; n++) ids.push((await aTestEvent(owner)).id)
  await requestTo(receiver, LANE_START)
  return ids
}

/** Moves the clock to the next attempt, and optionally a little further. */
export async function turnToNextAttempt(
  app: TestApp,
  client: Client,
  id: string,
  beyondMs = 0,
): Promise<number> {
  await waitUntil(async () => (await deliveryOf(client, id)).nextAttemptAt !== null)
  const due = Date.parse((await deliveryOf(client, id)).nextAttemptAt ?? '')
  app.clock.now = due + beyondMs
  app.wakeDispatcher()
  return due
}

/**
 * Proves that the dispatcher has looked for due deliveries since this was called: it has delivered
 * an event of a different organization that is due now.
 */
export async function afterARound(probe: Owner): Promise<void> {
  const { id } = await aTestEvent(probe)
  await settled(probe, id)
}

/** A header of a request, which must exist for the test to make sense. */
export function headerOf({ headers }: Received, name: string): string {
  const value = headers[name]
  assert(typeof value === 'string', `There is no header ${name}.`)
  return value
}
