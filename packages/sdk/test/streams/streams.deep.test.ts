import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyFile } from '@purser/audit/verify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import { sealAll } from '../../../server/test/support/audit-log.ts'
import { aKey, anActiveMandate } from '../../../server/test/support/builders.ts'
import { evaluate } from '../../../server/test/support/spends.ts'
import { type BacktestProgress, PermissionError, Purser } from '../../src/index.ts'
import { type Fault, startFaultProxy } from '../support/fault-proxy.ts'

describe('streams of a client', () => {
  let app: TestApp
  let acme: Owner
  let gatewayUrl: string

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    gatewayUrl = await app.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => app.stop())

  async function behind(owner: Owner, ...faults: Fault[]) {
    const proxy = await startFaultProxy(gatewayUrl)
    proxy.faults.push(...faults)
    return { proxy, purser: new Purser({ apiKey: owner.apiKey, baseUrl: proxy.url }) }
  }

  async function aHistory(name: string, spends: number) {
    const owner = await app.organization(name)
    const { agentId, id: mandateId } = await anActiveMandate(owner)
    const ids: string[] = []
    for (let n = 0; n < spends; n += 1) {
      ids.push((await evaluate(owner, agentId, { amount: 1 })).transactionId)
    }
    return { owner, agentId, mandateId: String(mandateId), ids }
  }

  test('yield each event once and in order, although the connection breaks', async () => {
    const { owner, agentId, ids } = await aHistory('Events', 20)
    const { proxy, purser } = await behind(
      owner,
      { cutAfterBytes: 3_000 },
      'reset before',
      { status: 503, headers: { 'retry-after': '0' } },
      { cutAfterBytes: 5_001 },
    )
    const found: string[] = []
    for await (const event of purser.events.stream({ after: 'oldest' })) {
      if (event.event !== 'transaction.approved') continue
      expect(event.id).toBe(event.data.transactionId.replace('txn_', 'evt_'))
      found.push(event.data.transactionId)
      if (found.length === 15)
        ids.push((await evaluate(owner, agentId, { amount: 1 })).transactionId)
      if (found.length === 21) break
    }
    expect(found).toEqual(ids)
    expect(proxy.seen.length).toBeGreaterThanOrEqual(5)
  })

  test('begin with the next event without a place, and end with the signal', async () => {
    const { owner, agentId } = await aHistory('From now on', 2)
    const { proxy, purser } = await behind(owner)
    const ending = new AbortController()
    const events = purser.events.stream({}, { signal: ending.signal })
    const first = events.next()
    await expect.poll(() => proxy.seen.length).toBe(1)
    // The stream has begun once the feed signal is followed, so a spend is made until one arrives.
    let arrived = false
    void first.then(() => {
      arrived = true
    })
    const made: string[] = []
    await expect
      .poll(async () => {
        made.push((await evaluate(owner, agentId, { amount: 1 })).transactionId)
        return arrived
      })
      .toBe(true)
    const { value } = await first
    expect(made).toContain((value as { data: { transactionId: string } }).data.transactionId)
    const rest = (async () => {
      for await (const _ of events);
    })()
    ending.abort()
    await rest
  })

  test('end with the place to go on from, once retention has removed the last event', async () => {
    const detail = 'Retention has removed the events before 2026-11-01.'
    const body = JSON.stringify({ code: 'event_removed', status: 410, detail, errors: [] })
    const { purser } = await behind(acme, { status: 410, body })
    const error = await purser.events
      .stream({ after: `evt_${'1'.repeat(32)}` })
      .next()
      .catch((it: unknown) => it)
    expect(error).toMatchObject({ name: 'NotFoundError', code: 'event_removed', status: 410 })
    expect(String(error)).toContain(`after: 'oldest'`)
  })

  test('are refused to a key that is bound to an agent before the first event', async () => {
    const { owner, agentId } = await aHistory('Bound', 1)
    const scopes = ['gateway:write', 'webhooks:read']
    const { key } = await aKey(app, owner, { scopes, agentIds: [agentId] })
    const bound = new Purser({ apiKey: key.apiKey, baseUrl: gatewayUrl })
    await expect(bound.events.stream().next()).rejects.toBeInstanceOf(PermissionError)
  })

  test('export every transaction once, over a connection that breaks', async () => {
    const { owner, ids } = await aHistory('Export', 30)
    const { proxy, purser } = await behind(owner, { cutAfterBytes: 9_000 }, 'reset after', {
      cutAfterBytes: 20_000,
    })
    const found: string[] = []
    for await (const { transactionId } of purser.transactions.export()) found.push(transactionId)
    expect(found).toEqual(ids.toReversed())
    expect(proxy.seen.length).toBeGreaterThanOrEqual(4)
  })

  test('export an audit log that verifies, over a connection that breaks', async () => {
    const { owner } = await aHistory('Audit', 12)
    await sealAll(app)
    const { proxy, purser } = await behind(owner, { cutAfterBytes: 4_000 })
    const lines: string[] = []
    for await (const line of purser.auditLog.export()) lines.push(line)
    expect(proxy.seen).toHaveLength(2)
    const { keys } = await purser.auditLog.proof()
    const folder = await mkdtemp(join(tmpdir(), 'purser-sdk-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [file, key] = [join(folder, 'export.ndjson'), join(folder, 'log.vkey')]
    await writeFile(file, `${lines.join('\n')}\n`)
    await writeFile(key, `${keys.join('\n')}\n`)
    const outcome = await verifyFile(file, { key, heads: [], receipts: undefined }, () => {})
    expect(outcome.kind).toBe('fits')
  })

  test('tell the progress of a backtest, and end with its report', async () => {
    const { owner, mandateId } = await aHistory('Backtest', 5)
    const { purser } = await behind(owner)
    const seen: BacktestProgress[] = []
    const onProgress = (progress: BacktestProgress) => void seen.push(progress)
    const input = { rules: [{ type: 'amount' as const, max: 0.5 }] }
    const report = await purser.mandates.backtest(mandateId, input, { onProgress })
    expect(report).toMatchObject({ replayed: 5, newlyRejected: 5 })
    expect(await purser.mandates.backtest(mandateId, input)).toMatchObject({ newlyRejected: 5 })
    const wrong = purser.mandates.backtest('mnd_none', input, { onProgress })
    await expect(wrong).rejects.toMatchObject({ status: 400 })
  })
})
