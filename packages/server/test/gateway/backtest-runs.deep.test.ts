import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { type BacktestOrder, createBacktests } from '../../src/gateway/backtest/backtests.ts'
import { readHistoryPages } from '../../src/gateway/backtest/read-history.ts'
import { findMandate } from '../../src/storage/mandates.ts'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, HOUR_MS } from '../support/builders.ts'
import { copyRows } from '../support/copy-rows.ts'
import { usualEngine } from '../support/database.ts'
import { recordLog } from '../support/recorded-log.ts'
import { STAYS_OPEN } from '../support/row-lock.ts'
import { seed } from '../support/seed.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { watchDatabase } from '../support/watched-database.ts'

/** Enough for many pages. */
const ROWS = 5_000

describe('a backtest that is under way', () => {
  let app: TestApp
  let acme: Owner
  let mandateId: string
  let url: string
  const { log, lines } = recordLog()

  beforeAll(async () => {
    app = await createTestApp(usualEngine(), {}, log)
    acme = await app.organization()
    const { agentId, id } = await anActiveMandate(acme)
    mandateId = String(id)
    await evaluate(acme, agentId, { amount: 1 })
    // One each tenth of a second from then on, so that they come in many pages.
    await repeatFirst(app, agentId, ROWS - 1, 100)
    app.clock.now = Date.now() + HOUR_MS
    url = await app.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => app.stop())

  const isFree = async () => (await app.rows('select 1 from backtests')).length === 0

  async function begin(more: Partial<BacktestOrder> = {}) {
    const { organizationId } = acme
    const { db } = app.database
    const mandate = await findMandate(db, organizationId, toUuid('mnd', mandateId) ?? '')
    if (!mandate) throw new Error('There is a mandate.')
    const backtests = createBacktests({ db, clock: app.time, decided: () => 0 })
    const order = { organizationId, mandate, rules: [], examplesMax: 1, ...more }
    return { backtests, begun: await backtests.begin(order) }
  }

  test('replays all of it, page by page, and holds its place meanwhile', async () => {
    const { begun } = await begin()
    const told: number[] = []
    await expect(begin()).rejects.toMatchObject({ code: 'backtest_running' })
    const { replayed, isPartial } = await begun.run({
      isOver: () => false,
      onProgress: (progress) => told.push(progress.replayed),
    })
    expect([replayed, isPartial]).toEqual([ROWS, false])
    expect(told.length).toBeGreaterThan(10)
    expect(await isFree()).toBe(true)
  })

  test('ends at the next turn when nobody waits for it, and says how far it came', async () => {
    const { begun } = await begin()
    let isOver = false
    const { replayed, isPartial, replayedTo } = await begun.run({
      isOver: () => isOver,
      onProgress: () => {
        isOver = true
      },
    })
    expect(isPartial).toBe(true)
    expect(replayed).toBeLessThan(ROWS)
    expect(replayedTo === null).toBe(replayed === 0)
    expect(await isFree()).toBe(true)
  })

  test('ends where it would have to remember too much', async () => {
    const { begun } = await begin({ rememberedMax: 0 })
    const { replayed, isPartial } = await begun.run({ isOver: () => false })
    expect(isPartial).toBe(true)
    expect(replayed).toBeLessThan(ROWS)
    expect(await isFree()).toBe(true)
  })

  test('ends when the gateway stops', async () => {
    const { backtests, begun } = await begin()
    const run = begun.run({ isOver: () => false })
    await backtests.stop()
    expect((await run).isPartial).toBe(true)
    expect(await isFree()).toBe(true)
  })

  function callForLines(base = url) {
    const call = request(`${base}/api/v1/mandates/${mandateId}/backtest`, {
      method: 'POST',
      agent: false,
      headers: {
        accept: 'application/x-ndjson',
        authorization: `Bearer ${acme.apiKey}`,
        'content-type': 'application/json',
      },
    })
    call.on('error', () => {})
    call.end(JSON.stringify({ rules: [] }))
    return call
  }

  /** Asks for lines, and keeps them as they come. */
  async function askForLines(base = url) {
    const call = callForLines(base)
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    const asked = { text: '', isOver: false, close: () => void call.destroy() }
    response.on('error', () => {})
    response.setEncoding('utf8').on('data', (part: string) => {
      asked.text += part
    })
    response.on('close', () => {
      asked.isOver = true
    })
    return asked
  }

  test('ends when its caller closes the connection', async () => {
    const { close } = await askForLines()
    close()
    await waitUntil(isFree)
  })

  /** Runs while nobody can read a transaction. */
  function whileNobodyReads<T>(run: () => Promise<T>): Promise<T> {
    return app.database.db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      await tx.query({ text: 'lock table transactions in access exclusive mode' })
      return run()
    })
  }

  /** When the query began that reads the past and waits for the lock. */
  async function waitingSince(): Promise<readonly string[]> {
    const rows = await app.rows<{ since: string }>(
      `select query_start::text as since from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'
         and query like '%as "firstFailure"%' and pid <> pg_backend_pid()`,
    )
    return rows.map(({ since }) => since)
  }

  /** Its queries are short, so that it can end: the first has given up, and another one waits. */
  async function waitForSecondTry(): Promise<void> {
    const seen = new Set<string>()
    await waitUntil(async () => {
      for (const since of await waitingSince()) seen.add(since)
      return seen.size > 1
    })
  }

  // On the embedded engine nobody else can hold a lock.
  describe.runIf(usualEngine() === 'postgres')('while its query waits for others', () => {
    test('ends when its caller leaves, and no statement of it goes on', () =>
      whileNobodyReads(async () => {
        const { close } = await askForLines()
        await waitForSecondTry()
        close()
        await waitUntil(async () => (await isFree()) && (await waitingSince()).length === 0)
      }))

    test('is no defect where its caller leaves before the first line', () =>
      whileNobodyReads(async () => {
        const call = callForLines()
        await waitUntil(async () => (await waitingSince()).length > 0)
        call.destroy()
        await waitUntil(isFree)
        expect(lines.filter(({ event }) => event === 'http.request_failed')).toEqual([])
      }))

    test('tells that it is there each second, and goes on', async () => {
      const asked = await whileNobodyReads(async () => {
        const lines = await askForLines()
        await waitUntil(() => lines.text.split('"progress"').length > 2)
        return lines
      })
      await waitUntil(() => asked.isOver)
      const lines = asked.text.trim().split('\n')
      const last = JSON.parse(lines.pop() ?? '')
      expect(last).toMatchObject({ report: { replayed: ROWS, partial: false } })
      for (const line of lines) expect(Object.keys(JSON.parse(line))).toEqual(['progress'])
    })

    test('ends when the process stops, which does not wait for all of it', async () => {
      const other = await joinTestApp(app)
      onTestFinished(other.stop)
      const base = await other.app.listen({ port: 0, host: '127.0.0.1' })
      await whileNobodyReads(async () => {
        const asked = await askForLines(base)
        await waitForSecondTry()
        await other.app.close()
        await waitUntil(() => asked.isOver)
        const last = asked.text.trim().split('\n').at(-1) ?? ''
        expect(JSON.parse(last)).toMatchObject({ report: { partial: true } })
      })
    })

    test('answers after a minute with what there is, whoever takes one answer', () =>
      whileNobodyReads(async () => {
        const asked = acme.post(`/mandates/${mandateId}/backtest`, { rules: [] })
        await waitUntil(async () => (await waitingSince()).length > 0)
        const now = performance.now.bind(performance)
        const turned = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
        const { status, text } = await asked.finally(() => turned.mockRestore())
        expect(status).toBe(200)
        expect(JSON.parse(text)).toMatchObject({ partial: true, replayed: 0, replayedTo: null })
        expect(await isFree()).toBe(true)
      }))
  })
})

describe('the past that a backtest reads', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  function watched() {
    const read: string[] = []
    const db = watchDatabase(app.database.db, (text) => {
      if (text.includes('from transactions')) read.push(text)
    })
    return { db, read }
  }

  test('is left between any two queries, however many agents there are', async () => {
    const { db, read } = watched()
    const agentIds = Array.from({ length: 1_000 }, () => randomUUID())
    let pages = 0
    for await (const page of readHistoryPages(db, acme.organizationId, agentIds, Date.now())) {
      pages += 1
      expect([page.length, read.length]).toEqual([0, pages])
    }
    expect(pages).toBeLessThan(agentIds.length)
  })

  test('ends where the backtest began, though the agent goes on', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { evaluationDetails } = await evaluate(acme, agentId)
    const to = Date.parse(evaluationDetails.evaluatedAt) + HOUR_MS
    await repeatFirst(app, agentId, 3_000, 10_000)
    const { db, read } = watched()
    let rows = 0
    for await (const page of readHistoryPages(db, acme.organizationId, [agentId], to))
      rows += page.length
    // There is one each ten seconds, and those of ten more minutes are looked at.
    expect(rows).toBe(361)
    expect(read.length).toBeLessThan(20)
  })
})

/** Puts the agent's only transaction into the record again and again, so many milliseconds apart. */
function repeatFirst(app: TestApp, agentId: unknown, times: number, ms: number) {
  return seed(
    app,
    copyRows(
      'transactions',
      `jsonb_build_object(
         'id', overlay(lpad(to_hex(ms), 12, '0') placing '-' from 9 for 0) || '-7000-8000-' ||
               lpad(to_hex(n), 12, '0'),
         'created_at', to_timestamp(ms / 1000.0))`,
      `generate_series(1, $2::integer) as n,
       lateral (select (extract(epoch from r.created_at) * 1000)::bigint + n * $3::bigint as ms) m`,
      'r.agent_id = $1',
    ),
    [agentId, times, ms],
  )
}
