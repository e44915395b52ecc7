import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepBooks } from '../../src/analytics/keep-books.ts'
import { addDays, startOfDate } from '../../src/core/analytics/range.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { askSums, readExport, sumExport } from './by-export.ts'

/** A refusal at each of these instants. */
const REFUSALS = `
  insert into transactions (organization_id, id, agent_id, path, decision, status, code, amount, currency,
    vendor, category, remaining_budget, details, held_amount, settled_amount, refunded_amount, created_at)
  select $1, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000'
           || lpad(to_hex(n), 12, '0'))::uuid,
         $2, 'evaluate', 'rejected', 'rejected', 'no_active_mandate', 1000, 'USD', 'v.example', 'llm', 0, '{}',
         0, 0, 0, at
  from unnest($3::timestamptz[]) with ordinality as r (at, n)`

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app?.stop())

test('days begin and end as in the zone: of 23, 25 and 24 hours, with half hours, in a leap year', async () => {
  const parts = { db: app.database.db, clock: app.time.read }
  const acme = await app.organization()
  const { agentId: spender } = await anActiveMandate(acme)
  const zones = ['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago']
  const dates = ['2024-02-29', '2026-03-29', '2026-04-05', '2026-09-06', '2026-10-04', '2026-10-25']
  const midnights = zones.flatMap((zone) =>
    dates.flatMap((date) => [startOfDate(date, zone), startOfDate(addDays(date, 1), zone)]),
  )
  const instants = [...new Set(midnights.flatMap((at) => [at - 1, at]))]
  const times = instants.map((at) => new Date(at).toISOString())
  await app.rows(REFUSALS, [acme.organizationId, spender, times])
  await app.rows('delete from analytics_books where organization_id = $1', [acme.organizationId])
  const exported = await readExport(app, acme)
  expect(exported).toHaveLength(instants.length)
  const question = { metric: 'rejections', groupBy: [], interval: 'day' } as const
  for (const timezone of zones) {
    bodyOf(await acme.patch('/organization', { timezone }))
    expect(await keepBooks(parts, acme.organizationId, 2_000)).toBe(true)
    for (const date of dates) {
      const [from, to] = [addDays(date, -1), addDays(date, 2)]
      const [fromAt, toAt] = [startOfDate(from, timezone), startOfDate(to, timezone)]
      const inRange = exported.filter(({ createdAt }) => {
        const at = Date.parse(createdAt)
        return fromAt <= at && at < toAt
      })
      const expected = sumExport(inRange, timezone, question)
      const answered = await askSums(acme, question, `&from=${from}&to=${to}`)
      expect(answered, `${timezone} ${date}`).toEqual(expected)
    }
  }
})
