import { openCheckpoint, parseVerifierKey } from '@purser/audit'
import { sha256, verifySignature } from '@purser/audit/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/app.ts'
import { headOf, logKeysOn, sealAll } from '../support/audit-log.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { aSubscriber, aTestEvent, requestTo } from '../support/webhooks.ts'

let app: TestApp
let receiver: Receiver

beforeAll(async () => {
  app = await createTestApp()
  receiver = await startReceiver()
})
afterAll(async () => {
  await app.stop()
  await receiver.close()
})

test('a webhook brings the last signed state of the audit log, once there is one', async () => {
  const acme = await aSubscriber(app, receiver)
  await aTestEvent(acme)
  expect((await requestTo(receiver, 1)).headers).not.toHaveProperty('purser-tree-head')
  await sealAll(app)
  await aTestEvent(acme)
  const { headers } = await requestTo(receiver, 2)
  const note = Buffer.from(String(headers['purser-tree-head']), 'base64').toString()
  const keys = await logKeysOn(app).published(acme.organizationId)
  const opened = openCheckpoint(
    note,
    keys.flatMap((text) => parseVerifierKey(text, sha256) ?? []),
    verifySignature,
  )
  expect(opened).toEqual(await headOf(app, acme))
})
