import { openCheckpoint, parseVerifierKey } from '@purser/audit'
import { sha256, verifySignature } from '@purser/audit/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLogKey, OVERLAP_MS } from '../../src/audit/log-keys.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { auditSealer, logKeysOn, sealAll } from '../support/audit-log.ts'
import { anAgent } from '../support/builders.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  await sealAll(app)
  expect(await verifiedBy()).toEqual([true])
  await makeLogKey({ db: app.database.db, sealer: auditSealer }, 1)
})
afterAll(() => app.stop())

/** A process hears of a rotation after a minute. */
function passTime(ms: number): void {
  app.clock.now = Date.now() + 120_000 + ms
}

/** Which of the published keys, the oldest first, verifies each checkpoint that is given. */
async function verifiedBy(): Promise<boolean[]> {
  const { checkpoint } = JSON.parse((await acme.get('/audit-log/proof')).text)
  const exported = await acme.get('/audit-log', { accept: 'application/x-ndjson' })
  const { note } = JSON.parse(exported.text.trim().split('\n').at(-1) ?? '')
  expect(note).toBe(checkpoint)
  const keys = await logKeysOn(app).published(acme.organizationId)
  return keys.map((text) => {
    const key = parseVerifierKey(text, sha256)
    return key !== undefined && typeof openCheckpoint(note, [key], verifySignature) !== 'string'
  })
}

test('a log in which nothing happens is signed by the new key as well', async () => {
  passTime(0)
  expect(await verifiedBy()).toEqual([true, true])
  passTime(OVERLAP_MS)
  expect(await verifiedBy()).toEqual([true, true])
})

test('a log that grows is signed by both for a time, and by the new key alone after it', async () => {
  passTime(0)
  await anAgent(acme)
  await sealAll(app)
  expect(await verifiedBy()).toEqual([true, true])
  passTime(OVERLAP_MS)
  await anAgent(acme)
  await sealAll(app)
  expect(await verifiedBy()).toEqual([false, true])
})

test('a checkpoint that none of the keys has signed is not signed again', async () => {
  await app.rows(
    `update audit_logs set note = replace(note, chr(10) || signed_size || chr(10),
                  chr(10) || signed_size + 1 || chr(10)) where organization_id = $1`,
    [acme.organizationId],
  )
  expect(await verifiedBy()).toEqual([false, false])
})
