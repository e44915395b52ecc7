import { expect, test } from 'vitest'
import { keepBooks } from '../../src/analytics/keep-books.ts'
import { toPublicId } from '../../src/core/id.ts'
import { createRegistry } from '../../src/metrics/registry.ts'
import { reconcile } from '../../src/operator/reconcile.ts'
import { readCheckoutBacklog } from '../../src/paths/acp/storage/due-checkouts.ts'
import { readAuthorizationBacklog } from '../../src/paths/card/storage/due-authorizations.ts'
import { removeOldDeliveries } from '../../src/paths/x402/storage/deliveries.ts'
import { readPaymentBacklog } from '../../src/paths/x402/storage/due-payments.ts'
import { readConfig } from '../../src/process/config.ts'
import { examineDatabase } from '../../src/process/doctor/examine.ts'
import { watchStored } from '../../src/process/observation/stored-figures.ts'
import { sealedValues } from '../../src/process/sealed-values.ts'
import { findLeafRange } from '../../src/storage/audit/leaf-range.ts'
import { removeExpiredCounters } from '../../src/storage/decisions/store-usage.ts'
import { createClock } from '../../src/storage/engine/clock.ts'
import { removeExpiredAnswers } from '../../src/storage/idempotency.ts'
import { beginRotation, endRotation, findKeyChecks } from '../../src/storage/secrets/master-key.ts'
import { resealAll } from '../../src/storage/secrets/reseal.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { removeEndedRevocations } from '../../src/storage/tokens/token-revocations.ts'
import { startRetention } from '../../src/upkeep/retention.ts'
import { startUrlSealing } from '../../src/webhooks/seal-urls.ts'
import { aSpender, askFor, decideOn } from '../support/approvals.ts'
import { headOf, leavesOf, sealAll, sealRound } from '../support/audit-log.ts'
import { aKey, anActiveMandate, bodyOf, DAY_MS } from '../support/builders.ts'
import { aCard } from '../support/cards.ts'
import { silentLog } from '../support/silent-log.ts'
import { evaluate, readTransaction } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Flow } from './stage.ts'

/** No program listens there. */
const CLOSED_PORT = 'http://127.0.0.1:1/hook'
const MASTER_KEY = Buffer.alloc(32, 7).toString('hex')

/** What a gateway does at its leisure. It comes last, because it takes away what others have made. */
export const upkeepFlow: Flow = (stage) => {
  test('everything that is sealed moves to another master key, and back', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const make = () => acme.post('/agents', { name: 'Kept' }, { 'idempotency-key': 'sealed' })
    const made = bodyOf(await make())
    bodyOf(await acme.patch('/organization', { webhookEndpoints: [{ url: CLOSED_PORT }] }))
    const [old, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)]
    const known = await findKeyChecks(db)
    const check = known ? await beginRotation(db, known, next) : Buffer.of()
    const away = await resealAll({
      db,
      sealer: createSealer(next, [old]),
      kinds: sealedValues(readConfig({})),
    })
    const back = await resealAll({
      db,
      sealer: createSealer(old, [next]),
      kinds: sealedValues(readConfig({})),
    })
    expect(away.unreadable).toBe(0)
    expect(back).toEqual(away)
    await endRotation(db, check)
    expect(bodyOf(await make())).toEqual(made)
  })

  test('webhook URLs that were stored whole are sealed, also those of attempts', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const [older, url] = ['https://hooks.example.com/older', 'https://hooks.example.com/path?key=x']
    for (const webhookUrl of [older, null]) {
      bodyOf(await acme.patch('/organization', { webhookUrl }))
    }
    const { organizationId } = acme
    await app.rows('update organizations set webhook_url = $2 where id = $1', [organizationId, url])
    await app.rows(
      `insert into webhook_attempts (organization_id, id, delivery_id, is_manual, outcome, url,
                                     request_headers, started_at)
       select $1, gen_random_uuid(), $1, false, 'succeeded', $2, '{}', now()
       from generate_series(1, 700)`,
      [organizationId, older],
    )
    await app.rows(
      `insert into webhook_url_sealings (organization_id, after_id)
       values ($1, '00000000-0000-0000-0000-000000000000')`,
      [organizationId],
    )
    const sealer = createSealer(Buffer.alloc(32, 7))
    const sealing = startUrlSealing({ db, sealer, clock: app.time.read, log: silentLog })
    await waitUntil(async () => (await app.rows('select 1 from webhook_url_sealings')).length === 0)
    await sealing.stop()
    expect(bodyOf(await acme.get('/organization')).webhookUrl).toBe(url)
    const whole = await app.rows("select 1 from webhook_attempts where url like '%older'")
    expect(whole).toEqual([])
    bodyOf(await acme.patch('/organization', { webhookUrl: null }))
  })

  test('what happened is sealed into the audit log, also what was stored without a salt', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    for (const table of ['webhook_events', 'changes']) {
      await app.rows(`update ${table} set commitment = null where organization_id = $1`, [
        acme.organizationId,
      ])
    }
    await sealAll(app, db)
    const kinds = (await leavesOf(app, acme)).map(({ kind }) => kind)
    expect(kinds).toContain('transaction.approved')
    expect(kinds).toContain('change.mandate.activated')
    expect(await headOf(app, acme, db)).toMatchObject({ size: kinds.length })
    const [entry] = JSON.parse((await acme.get('/audit-log')).text).data
    // A log of this length is searched by its times.
    const time = { from: Date.parse(entry.at), to: undefined }
    const range = await findLeafRange(db, acme.organizationId, time, 1_000)
    expect(range.begin).toBe(0)
    const proof = await acme.get(`/audit-log/proof?leaf=${entry.leaf}`)
    expect(JSON.parse(proof.text).inclusion).toMatchObject({ index: entry.index })
    const proven = await acme.get('/transactions/export', { accept: 'application/x-ndjson' })
    expect(proven.text.trimEnd().split('\n')).toHaveLength(3)
    const { text } = await acme.get('/audit-log', { accept: 'application/x-ndjson' })
    expect(text.trimEnd().split('\n')).toHaveLength(kinds.length + 2)
  })

  test('a log whose feed was put back is not sealed any further, and health says so', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    await anActiveMandate(acme)
    await sealAll(app, db)
    const { length } = await leavesOf(app, acme)
    const setNumber = (number: bigint | number) =>
      app.rows('update audit_logs set last_number = $2 where organization_id = $1', [
        acme.organizationId,
        number,
      ])
    await setNumber(1)
    for (const _round of [1, 2]) await sealRound(app, db)
    expect(await leavesOf(app, acme)).toHaveLength(length)
    const health = await app.app.inject({ method: 'GET', url: '/readyz' })
    expect(health.json()).toMatchObject({ status: 'ready', sealing: false })
    // What comes after this seals everything.
    await setNumber(length - 1)
    await app.rows('delete from audit_stops where organization_id = $1', [acme.organizationId])
  })

  test('the metrics read every backlog', async () => {
    const { app, db } = stage()
    const registry = createRegistry()
    const paths = new Map([
      ['x402', readPaymentBacklog],
      ['acp', readCheckoutBacklog],
      ['card', readAuthorizationBacklog],
    ])
    const now = app.time.estimate
    const ended = watchStored(registry, { db, now, paths, log: silentLog })
    await waitUntil(async () => (await registry.read()).purser_holds_open !== undefined)
    const { purser_reconciler_open: open, purser_sealing_lag_seconds: lag } = await registry.read()
    expect(open?.map(({ labels }) => labels)).toEqual([['x402'], ['acp'], ['card']])
    expect(lag?.[0]?.value).toBeGreaterThanOrEqual(0)
    await ended()
  })

  test('purser doctor reads every lag', async () => {
    const { app, db } = stage()
    bodyOf(await (await app.organization()).patch('/organization', { webhookUrl: CLOSED_PORT }))
    const checks = await examineDatabase(db, readConfig({ PURSER_MASTER_KEY: MASTER_KEY }))
    expect(checks.map(({ name }) => name)).toContain('backups')
    expect(checks.filter(({ text }) => text.startsWith('The check failed'))).toEqual([])
  })

  test('the live tables agree with the audit log', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const rules = [{ type: 'limit', maxCount: 5, window: 'day' }]
    const parent = await anActiveMandate(acme, { rules })
    const child = await anActiveMandate(acme, { parentMandateId: parent.id, rules })
    const { key } = await aKey(app, acme, { agentIds: [parent.agentId, child.agentId] })
    const { client: maker } = await aKey(app, acme)
    bodyOf(await maker.post('/api-keys', { name: 'Made by another' }))
    bodyOf(await maker.patch(`/mandates/${child.id}`, { rules: [] }))
    const asked = await anActiveMandate(acme, { rules: [{ type: 'approval', above: 5 }] })
    const approval = await askFor(await aSpender(app, acme, asked.agentId), asked.agentId)
    bodyOf(await decideOn(acme, approval))
    await evaluate(acme, child.agentId, { hold: { expiresIn: '1h' } })
    bodyOf(await acme.post(`/mandates/${parent.id}/revoke`))
    bodyOf(await acme.delete(`/agents/${child.agentId}`))
    bodyOf(await acme.delete(`/api-keys/${key.id}`))
    const { data: keys } = bodyOf(await acme.get('/api-keys'))
    const made = keys.find(({ name }) => name === 'Made by another')
    const [by] = keys.filter(({ id }) => id === made?.createdBy)
    bodyOf(await acme.delete(`/api-keys/${by?.id}?withDescendants=true`))
    const { connectionId } = await aCard(acme)
    for (const status of ['disabled', 'removed']) {
      bodyOf(await acme.patch(`/card-connections/${connectionId}`, { status }))
    }
    await sealAll(app, db)
    const { organizationId } = acme
    expect(await reconcile({ db }, toPublicId('org', organizationId))).toMatchObject({
      ...{ kind: 'agrees', text: null },
    })
  })

  test('what is past its time is removed', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const rules = [{ type: 'limit', maxCount: 5, window: 'day' }]
    const { agentId } = await anActiveMandate(acme, { rules })
    await evaluate(acme, agentId, {}, { 'idempotency-key': 'once' })
    const later = Date.now() + 60 * DAY_MS
    expect(await removeExpiredAnswers(db, later)).toBeGreaterThan(0)
    expect(await removeExpiredCounters(db, later)).toBeGreaterThan(0)
    await removeOldDeliveries(db, later)
    await removeEndedRevocations(db, later)
    for (const table of ['idempotency_keys', 'limit_counters', 'token_revocations']) {
      expect(await app.rows(`select 1 from ${table}`)).toEqual([])
    }
    expect(await app.rows('select 1 from x402_payments where delivery is not null')).toEqual([])
  })

  test('what an organization no longer keeps is removed, and its readers are told', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId)
    const [event] = bodyOf(await acme.get('/events')).data
    bodyOf(await acme.patch('/organization', { retention: { detailsDays: 90, eventsDays: 7 } }))
    await sealAll(app, db)
    const clock = async () => Date.now() + 500 * DAY_MS
    expect(await keepBooks({ db, clock: app.time.read }, acme.organizationId, 100)).toBe(true)
    const retention = startRetention({ db, clock, log: silentLog })
    await retention.round()
    await retention.stop()
    expect(await readTransaction(acme, transactionId)).toMatchObject({ evaluationDetails: null })
    expect((await acme.get(`/events?cursor=${event?.id}`)).status).toBe(410)
    // No month is left that was made ahead, and nobody misses it.
    await evaluate(acme, agentId)
    expect(bodyOf(await acme.get('/events')).data).toHaveLength(1)
  })

  test('the clock of the database is the one that decides', async () => {
    const { app, db } = stage()
    const { read } = await createClock(db)
    const [before, now] = [await read(db), await read(db)]
    const [row] = await app.rows<{ after: number }>('select clock_timestamp() as after')
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(row?.after ?? 0)
  })
}
