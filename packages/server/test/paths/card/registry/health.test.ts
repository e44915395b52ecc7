import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  LATENCY_STEPS_MS,
  latencyPlace,
  NO_SUMS,
  p95Of,
  type UnknownCard,
  warningsOf,
} from '../../../../src/paths/card/registry/health.ts'
import {
  createNoteHealth,
  type NoteHealth,
} from '../../../../src/paths/card/registry/note-health.ts'
import { removeOldHealth, sumHealth } from '../../../../src/paths/card/storage/health.ts'
import { listUnknownCards } from '../../../../src/paths/card/storage/unknown-cards.ts'
import { newId } from '../../../../src/storage/new-id.ts'
import { createTestApp, type TestApp } from '../../../support/app.ts'
import { DAY_MS, HOUR_MS } from '../../../support/builders.ts'
import { silentLog } from '../../../support/silent-log.ts'

const START = Date.UTC(2026, 0, 1, 10, 30)
const APPROVED = { what: 'request', tookMs: 4, isApproved: true, isLate: false } as const
const LATE = { what: 'request', tookMs: 1_300, isApproved: false, isLate: true } as const

test('p95 is the step that 95 of 100 answers stay within', () => {
  const counts = (...took: readonly number[]): number[] => {
    const latencies = [...NO_SUMS.latencies]
    for (const ms of took) latencies[latencyPlace(ms)] = (latencies[latencyPlace(ms)] ?? 0) + 1
    return latencies
  }
  expect(p95Of(NO_SUMS.latencies)).toBeNull()
  expect(p95Of(counts(4))).toBe(5)
  expect(p95Of(counts(...Array(95).fill(4), ...Array(5).fill(900)))).toBe(5)
  expect(p95Of(counts(...Array(94).fill(4), ...Array(6).fill(900)))).toBe(1_200)
  expect(p95Of(counts(60_000))).toBe(LATENCY_STEPS_MS.at(-1))
})

test('events are silent where approvals wait for one: a day, or minutes where none ever came', () => {
  const warn = (lastEventAt: number | null, unheardSince: number | null) =>
    warningsOf({ lastEventAt, unheardSince }, START)
  expect(warn(null, null)).toEqual([])
  expect(warn(START - 90 * DAY_MS, null)).toEqual([])
  expect(warn(null, START - 60_000)).toEqual([])
  expect(warn(null, START - HOUR_MS)).toEqual(['events_silent'])
  expect(warn(START - 2 * DAY_MS, START - HOUR_MS)).toEqual([])
  expect(warn(START - 2 * DAY_MS, START - DAY_MS)).toEqual(['events_silent'])
})

describe('what is noted of a connection', () => {
  let app: TestApp
  let at = START
  let organizationId: string
  let connection: { organizationId: string; id: string }
  const opened: NoteHealth[] = []

  beforeAll(async () => {
    app = await createTestApp()
    ;({ organizationId } = await app.organization())
  })
  afterAll(async () => {
    await Promise.all(opened.map((health) => health.stop()))
    await app.stop()
  })

  /** Another process, in effect. */
  function open(): NoteHealth {
    const health = createNoteHealth({ db: app.database.db, now: () => at, log: silentLog })
    opened.push(health)
    return health
  }
  async function fresh(): Promise<NoteHealth> {
    at = START
    connection = { organizationId, id: newId(at) }
    await app.rows(
      `insert into card_connections (organization_id, id, provider, name, livemode, status, fail_mode,
         deadline_ms, partial_approvals, pause_on_over_capture, created_at, updated_at)
       values ($1, $2, 'stripe', 'Issuer', false, 'active', 'closed', 1200, false, false, now(), now())`,
      [organizationId, connection.id],
    )
    return open()
  }
  const sums = async (since = START - DAY_MS) =>
    (await sumHealth(app.database.db, organizationId, [connection.id], since)).get(connection.id)
  const heard = async () => {
    const [row] = await app.rows(
      'select last_request_at, last_event_at, unheard_since from card_connections where id = $1',
      [connection.id],
    )
    return row && Object.values(row)
  }

  test('is added up over processes and hours, however often it is written', async () => {
    const [first, second] = [await fresh(), open()]
    for (const health of [first, second]) {
      for (const seen of [APPROVED, LATE]) health.note(connection, seen)
      health.note(connection, { what: 'signature_failure' })
      await health.flush()
      health.note(connection, { what: 'ungoverned' })
    }
    at += HOUR_MS
    first.note(connection, APPROVED)
    await Promise.all([first.flush(), second.flush()])
    await first.flush()
    expect(await sums()).toMatchObject({ signatureFailures: 2, timeouts: 2, ungoverned: 2 })
    const { latencies = [] } = (await sums()) ?? {}
    expect([latencies[latencyPlace(4)], latencies[latencyPlace(1_300)]]).toEqual([3, 2])
    expect(await sums(START)).toMatchObject({ timeouts: 0 })
    expect(await removeOldHealth(app.database.db, START + 30 * DAY_MS)).toBeGreaterThan(1)
    expect(await sums()).toBeUndefined()
  })

  test('is when it was last heard, and since when approvals wait for an event', async () => {
    const [first, second] = [await fresh(), open()]
    first.note(connection, APPROVED)
    await first.flush()
    expect(await heard()).toEqual([START, null, START])
    at += 1_000
    second.note(connection, { what: 'event' })
    await second.flush()
    expect(await heard()).toEqual([START, START + 1_000, null])
    // What the other process still has of before changes nothing.
    first.note(connection, LATE)
    await first.flush()
    expect(await heard()).toEqual([START + 1_000, START + 1_000, null])
    at += 1_000
    second.note(connection, APPROVED)
    at += HOUR_MS
    second.note(connection, APPROVED)
    await second.flush()
    expect(await heard()).toEqual([at, START + 1_000, START + 2_000])
  })

  test('are the unknown cards that were seen last, a hundred of them, each with its count', async () => {
    const health = await fresh()
    const see = (externalId: string): void => {
      at += 1
      const card: UnknownCard = {
        externalId,
        last4: '4242',
        merchantName: `\u0000${'x'.repeat(500)}`,
        amount: 5_000_000n,
        currency: 'USD',
      }
      health.note(connection, { what: 'unknown_card', card })
    }
    see('first')
    see('often')
    await health.flush()
    for (let n = 0; n < 99; n++) see(`ic_${n}`)
    see('often')
    await health.flush()
    const list = (most: number) =>
      listUnknownCards(app.database.db, organizationId, [connection.id], most)
    const seen = await list(1_000)
    expect(seen).toHaveLength(100)
    expect(seen.map(({ externalId }) => externalId)).not.toContain('first')
    expect(seen[0]).toMatchObject({ externalId: 'often', count: 2, amount: 5_000_000n, lastAt: at })
    expect(seen[0]?.merchantName).toHaveLength(200)
    expect(await list(10)).toEqual(seen.slice(0, 10))
    expect(await sums()).toMatchObject({ unknownCards: 102 })
    see('4242 4242 4242 4242')
    await health.flush()
    expect((await list(1))[0]?.externalId).toBe('…4242')
  })

  test('is not lost by a database that fails once', async () => {
    await fresh()
    let isDown = true
    const db: typeof app.database.db = {
      ...app.database.db,
      query: async (statement) => {
        if (isDown) throw new Error('down')
        return app.database.db.query(statement)
      },
    }
    const health = createNoteHealth({ db, now: () => at, log: silentLog })
    opened.push(health)
    health.note(connection, APPROVED)
    await health.flush()
    expect(await sums()).toBeUndefined()
    isDown = false
    await health.flush()
    expect((await sums())?.latencies[latencyPlace(4)]).toBe(1)
  })
})
