import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { AnswerBody } from '../support/answer-body.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

export interface EndpointStage {
  readonly app: TestApp
  readonly acme: Owner
  readonly first: Receiver
  readonly second: Receiver
}

/** An app for all tests of a file, and an organization with two receivers for each test. */
export function stageEndpoints(): () => EndpointStage {
  let app: TestApp
  let stage: EndpointStage
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())
  beforeEach(async () => {
    const [first, second] = await Promise.all([startReceiver(), startReceiver()])
    stage = { app, acme: await app.organization(), first, second }
  })
  afterEach(async () => {
    app.clock.now = undefined
    await Promise.all([stage.first.close(), stage.second.close()])
  })
  return () => stage
}

export async function endpointsOf(acme: Owner): Promise<readonly AnswerBody[]> {
  return bodyOf(await acme.get('/organization')).webhookEndpoints
}

/** Sends a whole list of endpoints. */
export async function changeEndpoints(
  acme: Owner,
  webhookEndpoints: readonly object[],
): Promise<readonly AnswerBody[]> {
  return bodyOf(await acme.patch('/organization', { webhookEndpoints })).webhookEndpoints
}

/** Creates two endpoints: the first with the usual events, the other with these. */
export async function twoEndpoints(
  { acme, first, second }: EndpointStage,
  events: readonly string[] = ['transaction.approved'],
) {
  bodyOf(await acme.patch('/organization', { webhookUrl: first.url }))
  const [own] = await endpointsOf(acme)
  const list = [{ id: own?.id }, { url: second.url, events }]
  const [one, other] = await changeEndpoints(acme, list)
  assert(one && other)
  return { one, other }
}
