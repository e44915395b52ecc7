import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPasswords } from '../../src/people/passwords.ts'
import { signIn } from '../../src/people/sign-in.ts'
import { createSignInLimits } from '../../src/people/sign-in-limits.ts'
import { createSignInNotes } from '../../src/people/sign-in-notes.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { usualEngine } from '../support/database.ts'
import { aMember } from '../support/people.ts'
import { holdLocks } from '../support/row-lock.ts'
import { guess, recorded, trySignIn, WRONG } from '../support/sign-ins.ts'
import { silentLog } from '../support/silent-log.ts'
import { waitUntil } from '../support/wait-until.ts'
import { watchDatabase } from '../support/watched-database.ts'

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app?.stop())

/** What one attempt after the other sends to the database, until after its lock. */
async function statementsOf(email: string, address: string): Promise<string[][]> {
  const sent: string[] = []
  const db = watchDatabase(app.database.db, (text) => void sent.push(text))
  const limits = createSignInLimits(db)
  const parts = { db, clock: app.time.read, limits, passwords: createPasswords() }
  const attempt = { email, password: WRONG, address, userAgent: '', organizationId: undefined }
  const all: string[][] = []
  for (let at = 0; at < 12; at++) {
    const tried = signIn({ ...parts, notes: createSignInNotes() }, attempt)
    await expect(tried).rejects.toMatchObject({ code: 'wrong_credentials' })
    all.push(sent.splice(0))
  }
  return all
}

test('an attempt sends the same statements whether there is such an account or not', async () => {
  const ada = await aMember(app, acme)
  const known = await statementsOf(ada.email, '198.51.100.1')
  const unknown = await statementsOf('nobody@example.com', '198.51.100.2')
  expect(unknown).toEqual(known)
  // The attempt with which the lock begins has one more, and only that one.
  const counts = known.map((statements) => statements.length)
  expect(counts[10]).toBe((counts[0] ?? 0) + 1)
  expect(counts[11]).toBe(counts[0])
  expect(known.flat().join()).not.toMatch(/event_feeds|changes|webhook_events/)
})

test('an attempt sends no more for an address with several memberships', async () => {
  const bea = await aMember(app, acme)
  const initech = await app.organization('Initech')
  await aMember(app, initech, { email: bea.email })
  const several = await statementsOf(bea.email, '198.51.100.3')
  const unknown = await statementsOf('no-one@example.com', '198.51.100.4')
  expect(several).toEqual(unknown)
})

test('an attempt waits for no share of the connections of an organization', async () => {
  const cleo = await aMember(app, acme)
  const named: unknown[] = []
  const { db: own } = app.database
  const db: typeof own = {
    ...own,
    query: (statement) => {
      if (!statement.isUnshared) named.push(statement.values?.[0])
      return own.query(statement)
    },
  }
  const parts = { db, clock: app.time.read, limits: createSignInLimits(db) }
  const tried = signIn(
    { ...parts, passwords: createPasswords(), notes: createSignInNotes() },
    {
      email: cleo.email,
      password: WRONG,
      address: '198.51.100.5',
      userAgent: '',
      organizationId: undefined,
    },
  )
  await expect(tried).rejects.toMatchObject({ code: 'wrong_credentials' })
  expect(named.length).toBeGreaterThan(0)
  expect(named).not.toContain(acme.organizationId)
})

const WAITING = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%event_feeds%'`

describe.runIf(usualEngine() === 'postgres')('while the feed of the organization is locked', () => {
  test('people sign in and strangers are answered, and all of it is recorded later', async () => {
    const globex = await app.organization('Globex')
    const bob = await aMember(app, globex)
    const db = await openPostgres({ url: app.database.url }, silentLog)
    const held = await holdLocks(db, {
      text: 'select 1 from event_feeds where organization_id = $1 for update',
      values: [globex.organizationId],
    })
    try {
      expect(await trySignIn(app, bob)).toBe(200)
      // While the worker waits for the feed, it keeps nobody from adding to a note.
      await waitUntil(async () => (await app.rows(WAITING)).length > 0)
      const free = 'select 1 from sign_in_notes where organization_id = $1 for update nowait'
      expect(await app.rows(free, [globex.organizationId])).toHaveLength(1)
      await guess(app, bob, 11)
    } finally {
      await held.release()
      await db.close()
    }
    const rows = await recorded(app, globex, 2)
    const operations = rows.map(({ operation }) => operation).sort()
    expect(operations).toEqual(['sign_in.locked', 'sign_in.succeeded'])
  })
})
