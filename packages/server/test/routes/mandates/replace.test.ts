import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import {
  aDraft,
  anActiveMandate,
  anAgent,
  bodyOf,
  DAY_MS,
  statusOf,
} from '../../support/builders.ts'
import { changesOf } from '../../support/changes.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { countLockWaits, lockMandateRow } from '../../support/row-lock.ts'
import { evaluate } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const replace = (id: string, client = acme) =>
  client.post(`/mandates/${id}/activate`, { replace: true })

describe('activating a mandate with replace', () => {
  test('revokes the active mandate with its children and activates the new one', async () => {
    const old = await anActiveMandate(acme)
    const child = await anActiveMandate(acme, { parentMandateId: old.id, budgetTotal: 10 })
    const next = await aDraft(acme, { agentId: old.agentId })
    const active = bodyOf(await replace(next.id))
    expect(active).toMatchObject({ id: next.id, status: 'active' })
    const revoked = bodyOf(await acme.get(`/mandates/${old.id}`))
    expect(revoked).toMatchObject({ status: 'revoked', revokedAt: active.activatedAt })
    expect(await statusOf(acme, child.id)).toBe('revoked')
    expect((await evaluate(acme, old.agentId)).mandateId).toBe(next.id)
  })

  test('leaves a record for both mandates, which name each other', async () => {
    const globex = await app.organization()
    const old = await anActiveMandate(globex)
    const next = await aDraft(globex, { agentId: old.agentId })
    bodyOf(await replace(next.id, globex))
    const records = (await changesOf(app, globex)).slice(-2)
    expect(records).toMatchObject([
      { operation: 'mandate.revoked', subjectId: old.id, after: { replacedBy: next.id } },
      { operation: 'mandate.activated', subjectId: next.id, after: { replaced: old.id } },
    ])
  })

  test('activates also if the agent has no active mandate', async () => {
    const { id } = await aDraft(acme)
    expect(bodyOf(await replace(id)).status).toBe('active')
  })

  test('leaves a mandate that has expired as it is', async () => {
    const validUntil = new Date(Date.now() + DAY_MS).toISOString()
    const old = await anActiveMandate(acme, { validUntil })
    const next = await aDraft(acme, { agentId: old.agentId })
    app.clock.now = Date.now() + 2 * DAY_MS
    bodyOf(await replace(next.id))
    expect(await statusOf(acme, old.id)).toBe('expired')
    app.clock.now = undefined
  })

  test('leaves the active mandate if the activation is refused', async () => {
    const old = await anActiveMandate(acme)
    const validUntil = new Date(Date.now() + DAY_MS).toISOString()
    const next = await aDraft(acme, { agentId: old.agentId, validUntil })
    app.clock.now = Date.now() + 2 * DAY_MS
    const { status, body } = await replace(next.id)
    app.clock.now = undefined
    expect([status, body.code]).toEqual([409, 'mandate_state'])
    expect(await statusOf(acme, old.id)).toBe('active')
  })

  test('is offered by the refusal without it', async () => {
    const old = await anActiveMandate(acme)
    const next = await aDraft(acme, { agentId: old.agentId })
    const { status, body } = await acme.post(`/mandates/${next.id}/activate`, { replace: false })
    expect([status, body.code]).toEqual([409, 'mandate_conflict'])
    expect(body.detail).toContain('"replace": true')
  })
})

describeOnPostgres('activating a mandate with replace', () => {
  test('approves a spend that waited for the old mandate, under the new one', async () => {
    const server = await createTestApp('postgres')
    const { db } = server.database
    const owner = await server.organization()
    const old = await anActiveMandate(owner)
    const next = await aDraft(owner, { agentId: old.agentId })
    const lock = await lockMandateRow(db, old.id)
    const replaced = replace(next.id, owner)
    await waitUntil(async () => (await countLockWaits(db)) === 1)
    const spent = evaluate(owner, old.agentId)
    await waitUntil(async () => (await countLockWaits(db)) === 2)
    await lock.release()
    bodyOf(await replaced)
    expect(await spent).toMatchObject({ decision: 'approved', mandateId: next.id })
    await server.stop()
  })

  test('rejects a spend that waited for a mandate that was only revoked', async () => {
    const server = await createTestApp('postgres')
    const { db } = server.database
    const owner = await server.organization()
    const { id, agentId } = await anActiveMandate(owner)
    const lock = await lockMandateRow(db, id)
    const revoked = owner.post(`/mandates/${id}/revoke`)
    await waitUntil(async () => (await countLockWaits(db)) === 1)
    const spent = evaluate(owner, agentId)
    await waitUntil(async () => (await countLockWaits(db)) === 2)
    await lock.release()
    bodyOf(await revoked)
    expect((await spent).evaluationDetails.code).toBe('no_active_mandate')
    await server.stop()
  })

  test('ends with one active mandate if several replace each other', async () => {
    const server = await createTestApp('postgres')
    const owner = await server.organization()
    const { id: agentId } = await anAgent(owner)
    const drafts = []
    for (let n = 0; n < 6; n++) drafts.push(await aDraft(owner, { agentId }))
    const answers = await Promise.all(drafts.map(({ id }) => replace(id, owner)))
    expect(answers.map(({ status }) => status)).toEqual(drafts.map(() => 200))
    const { data } = bodyOf(await owner.get(`/mandates?agentId=${agentId}&status=active`))
    expect(data).toHaveLength(1)
    await server.stop()
  })
})
