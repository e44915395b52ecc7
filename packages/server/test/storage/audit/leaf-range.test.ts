import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findLeafRange } from '../../../src/storage/audit/leaf-range.ts'
import type { LeafFilter } from '../../../src/storage/audit/read-leaves.ts'
import type { Statement } from '../../../src/storage/engine/database.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { bodyOf } from '../../support/builders.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const LEAVES = 120_000
/** One leaf a minute, so there are more than twelve weeks of them. */
const BEGUN = Date.parse('2026-01-01T00:00:00Z')
const END = BEGUN + LEAVES * 60_000

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  // The database's clock was 20 hours ahead for some hours, and then went back.
  await app.rows(
    `insert into audit_leaves (organization_id, index, number, kind, subject, at, commitment, hash)
     select $1, n, 1000 + n, 'mandate.revoked', 'mnd_' || n,
            to_timestamp($2::float / 1000) + n * interval '1 minute'
              + case when n between 50000 and 50300 then interval '20 hours' else interval '0' end
              + (n % 7) * interval '5 seconds',
            '\\x00', sha256(n::text::bytea)
     from generate_series(0, $3 - 1) n`,
    [acme.organizationId, BEGUN, LEAVES],
  )
  await app.rows(
    `insert into audit_logs (organization_id, begun_after, size, last_number, frontier, signed_size, note)
     values ($1, 0, $2, 1000, '', $2, 'signed') on conflict (organization_id) do update
     set size = excluded.size, signed_size = excluded.signed_size, note = excluded.note`,
    [acme.organizationId, LEAVES],
  )
})
afterAll(() => app.stop())

type Times = Partial<Pick<LeafFilter, 'from' | 'to'>>

async function rangeOf(times: Times, size = LEAVES) {
  const sent: Statement[] = []
  const { db } = app.database
  const range = await findLeafRange(
    {
      query: (statement) => {
        sent.push(statement)
        return db.query(statement)
      },
    },
    ...([acme.organizationId, { from: undefined, to: undefined, ...times }, size] as const),
  )
  return { range, looks: sent.length }
}

/** The first and the last leaf of a time, read from all leaves. */
async function placesOf({ from = 0, to = END + 9 * DAY }: Times) {
  const [places] = await app.rows<{ first: number | null; last: number | null }>(
    `select min(index)::int as first, max(index)::int as last from audit_leaves
     where organization_id = $1 and at >= to_timestamp($2::float / 1000)
       and at < to_timestamp($3::float / 1000)`,
    [acme.organizationId, from, to],
  )
  return places ?? { first: null, last: null }
}

const BACK = BEGUN + 50_301 * 60_000

describe('the range of a time', () => {
  test.each<Times>([
    { from: BEGUN + 30 * DAY },
    { to: BEGUN + 30 * DAY },
    { from: BEGUN + 30 * DAY, to: BEGUN + 31 * DAY },
    { from: BACK - 19 * HOUR, to: BACK + HOUR },
    { from: BACK + 15 * HOUR, to: BACK + 30 * HOUR },
    ...[{ from: BEGUN - DAY }, { to: END + DAY }, { from: END - 1 }, { to: BEGUN + 1 }],
  ])('has all its leaves, and few others: %o', async (times) => {
    const { range, looks } = await rangeOf(times)
    const { first, last } = await placesOf(times)
    expect(range.begin).toBeLessThanOrEqual(first ?? LEAVES)
    expect(range.end).toBeGreaterThan(last ?? -1)
    const around = 2 * (DAY / 60_000)
    if (times.from !== undefined) expect(range.begin).toBeGreaterThan((first ?? LEAVES) - around)
    if (times.to !== undefined) expect(range.end).toBeLessThan((last ?? 0) + around)
    expect(looks).toBeLessThanOrEqual(6)
  })

  test('is empty before and after the log', async () => {
    const { range: before } = await rangeOf({ to: BEGUN - 2 * DAY })
    expect(before.end).toBeLessThan(1_000)
    const { range: after } = await rangeOf({ from: END + 9 * DAY })
    expect(after.begin).toBeGreaterThan(LEAVES - 1_000)
  })

  test('is the whole log without a time, and of a log that is short', async () => {
    expect(await rangeOf({})).toEqual({ range: { begin: 0, end: LEAVES }, looks: 0 })
    const { range } = await rangeOf({ from: END }, 100)
    expect(range).toEqual({ begin: 0, end: 100 })
  })
})

interface LogPage {
  readonly data: readonly { readonly subject: string }[]
  readonly nextCursor: number | null
}

test('a list of a time ends where the time begins, although the log is longer', async () => {
  const times = `from=${new Date(BEGUN + 10 * DAY).toISOString()}&to=${new Date(BEGUN + 10 * DAY + HOUR).toISOString()}`
  const subjects: string[] = []
  let cursor = ''
  let pages = 0
  do {
    const page = bodyOf(await acme.get(`/audit-log?${times}${cursor}`)) as unknown as LogPage
    subjects.push(...page.data.map(({ subject }) => subject))
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
    pages += 1
  } while (cursor !== '')
  expect(subjects).toEqual(Array.from({ length: 60 }, (_, n) => `mnd_${14_459 - n}`))
  expect(pages).toBe(2)
})
