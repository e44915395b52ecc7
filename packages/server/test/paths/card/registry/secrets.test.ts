import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../../src/core/id.ts'
import {
  createFindConnection,
  type FindConnection,
} from '../../../../src/paths/card/registry/find-connection.ts'
import { createSealer } from '../../../../src/storage/secrets/sealed.ts'
import { createTestApp, type Owner, type TestApp } from '../../../support/app.ts'
import { bodyOf, DAY_MS } from '../../../support/builders.ts'
import { aConnection, SECRETS, tokenOf } from '../../../support/cards.ts'
import { dumpTables } from '../../../support/tables.ts'
import { watchDatabase } from '../../../support/watched-database.ts'

const sealer = createSealer(Buffer.alloc(32, 7))
const [FIRST, SECOND, THIRD] = [
  'whsec_secret_number_1',
  'whsec_secret_number_2',
  'whsec_secret_number_3',
]
const NOW = Date.UTC(2026, 5, 1)
const FRESH_MS = 900

describe('the secrets and the token of a connection', () => {
  let app: TestApp
  let acme: Owner
  const logged: string[] = []

  beforeAll(async () => {
    const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) })
    app = await createTestApp(undefined, {}, log)
    acme = await app.organization()
  })
  afterAll(() => app.stop())
  afterEach(() => {
    app.clock.now = undefined
  })

  /** Knows nothing of before, as another process would. */
  function look(): FindConnection {
    return createFindConnection({ db: app.database.db, sealer, now: app.time.estimate })
  }
  const secretsOf = async (id: string) =>
    (await look().byId(acme.organizationId, toUuid('conn', id) ?? ''))?.secrets
  const change = async (id: string, fields: object) =>
    bodyOf(await acme.patch(`/card-connections/${id}`, fields))

  test('are shown by their ends only, and are nowhere in plain', async () => {
    const headers = { 'idempotency-key': 'secrets' }
    const body = { provider: 'lithic', name: 'Sealed', secrets: SECRETS }
    const made = await acme.post('/card-connections', body, headers)
    const { id, ingest, secrets } = bodyOf(made)
    const hint = (secret: string) => ({ hint: secret.slice(-4), previousUntil: null })
    expect(secrets).toEqual({
      authorization: hint(SECRETS.authorization),
      events: hint(SECRETS.events),
    })
    const again = await acme.post('/card-connections', body, headers)
    expect(again.text).toBe(made.text)
    const listed = await acme.get('/card-connections')
    const renamed = await acme.patch(`/card-connections/${id}`, { name: 'Renamed' })
    const dumped = await dumpTables(app.database.db)
    const answered = [made.text, listed.text, renamed.text].join('\n')
    for (const secret of Object.values(SECRETS)) {
      // A column of bytes is dumped as hexadecimal digits.
      for (const spelling of [secret, Buffer.from(secret).toString('hex')]) {
        expect(answered + dumped + logged.join('\n')).not.toContain(spelling)
      }
    }
    const token = tokenOf(ingest)
    for (const spelling of [token, Buffer.from(token).toString('hex')]) {
      expect(listed.text + renamed.text + dumped + logged.join('\n')).not.toContain(spelling)
    }
  })

  test('are accepted for a day after they were replaced, by the clock of the database', async () => {
    const { id } = await aConnection(acme, { secrets: { authorization: FIRST, events: THIRD } })
    app.clock.now = NOW
    const until = new Date(NOW + DAY_MS).toISOString()
    const changed = await change(id, { secrets: { authorization: SECOND } })
    expect(changed.secrets).toEqual({
      authorization: { hint: 'er_2', previousUntil: until },
      events: { hint: 'er_3', previousUntil: null },
    })
    const both = { authorization: [SECOND, FIRST], events: [THIRD] }
    expect(await secretsOf(id)).toEqual(both)
    app.clock.now = NOW + DAY_MS - 1
    expect(await secretsOf(id)).toEqual(both)
    app.clock.now = NOW + DAY_MS
    expect(await secretsOf(id)).toEqual({ authorization: [SECOND], events: [THIRD] })
    const { data } = bodyOf(await acme.get('/card-connections'))
    const shown = data.find((connection) => connection.id === id)
    expect(shown?.secrets.authorization).toEqual({ hint: 'er_2', previousUntil: null })
  })

  test('that are replaced twice are cut off at once', async () => {
    const { id } = await aConnection(acme, { secrets: { events: FIRST } })
    await change(id, { secrets: { events: SECOND } })
    await change(id, { secrets: { events: THIRD } })
    expect((await secretsOf(id))?.events).toEqual([THIRD, SECOND])
  })

  test('that are set once more stay as they are, and so do those before them', async () => {
    const { id } = await aConnection(acme, { secrets: { events: FIRST } })
    const changed = await change(id, { secrets: { events: SECOND } })
    expect((await change(id, { secrets: { events: SECOND } })).secrets).toEqual(changed.secrets)
    expect((await secretsOf(id))?.events).toEqual([SECOND, FIRST])
  })

  test('can be set after the addresses are known to the issuer', async () => {
    const { id } = await aConnection(acme)
    expect(await secretsOf(id)).toEqual({ authorization: [], events: [] })
    const { secrets } = await change(id, { secrets: { authorization: FIRST } })
    expect(secrets.authorization).toEqual({ hint: 'er_1', previousUntil: null })
    expect(await secretsOf(id)).toEqual({ authorization: [FIRST], events: [] })
  })

  test('lead to the connection; a token before leads there for a day, and none before that', async () => {
    const made = await aConnection(acme)
    app.clock.now = NOW
    const first = tokenOf(made.ingest)
    const changed = await change(made.id, { rotateToken: true })
    const second = tokenOf(changed.ingest)
    const leads = async (...tokens: readonly string[]) =>
      Promise.all(tokens.map(async (token) => (await look().byToken(token)) !== undefined))
    expect(await leads(first, second)).toEqual([true, true])
    app.clock.now = NOW + DAY_MS - 1
    expect(await leads(first, second)).toEqual([true, true])
    app.clock.now = NOW + DAY_MS
    expect(await leads(first, second)).toEqual([false, true])
    const third = tokenOf((await change(made.id, { rotateToken: true })).ingest)
    expect(await leads(first, second, third)).toEqual([false, true, true])
    const fourth = tokenOf((await change(made.id, { rotateToken: true })).ingest)
    expect(await leads(second, third, fourth)).toEqual([false, true, true])
  })

  test('are asked for once in a while, and made-up tokens not at all or once', async () => {
    const { id, ingest } = await aConnection(acme, { secrets: { authorization: FIRST } })
    app.clock.now = NOW
    let asked = 0
    const db = watchDatabase(app.database.db, () => {
      asked += 1
    })
    const find = createFindConnection({ db, sealer, now: app.time.estimate })
    const token = tokenOf(ingest)
    await Promise.all([find.byToken(token), find.byToken(token)])
    expect((await find.byToken(token))?.status).toBe('active')
    expect(asked).toBe(2)
    await change(id, { status: 'disabled' })
    expect((await find.byToken(token))?.status).toBe('active')
    app.clock.now = NOW + FRESH_MS
    expect((await find.byToken(token))?.status).toBe('disabled')
    expect(asked).toBe(4)
    for (const wrong of ['', 'x', `${token}x`, token.slice(1), `${token.slice(1)}/`, '…']) {
      expect(await find.byToken(wrong)).toBeUndefined()
    }
    expect(asked).toBe(4)
    for (const _ of [1, 2]) expect(await find.byToken('x'.repeat(43))).toBeUndefined()
    expect(asked).toBe(5)
  })

  test('of one organization are not found for another', async () => {
    const { id } = await aConnection(acme)
    const globex = await app.organization('Globex')
    const uuid = toUuid('conn', id) ?? ''
    expect(await look().byId(globex.organizationId, uuid)).toBeUndefined()
    expect(await look().byId(acme.organizationId, uuid)).toMatchObject({ id: uuid })
  })
})
