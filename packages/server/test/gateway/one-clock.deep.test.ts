import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallAnswer, createCaller } from '../support/caller.ts'
import { describeOnPostgres } from '../support/database.ts'
import { aSpend } from '../support/spends.ts'
import { withTimeEnough } from '../support/time-enough.ts'
import { waitUntil } from '../support/wait-until.ts'
import {
  type Body,
  HALF_AN_HOUR_MS,
  isoIn,
  openTurnedSite,
  PROCESSES,
  type ProcessName,
  type TurnedSite,
} from './turned-site.ts'

// The same processes under mixed load: clocks.deep.test.ts.

/** How well a process must know the database's clock where it does not ask for it. */
const LEARNED_WITHIN_MS = 1_000

describeOnPostgres('processes whose clocks are an hour apart', () => {
  let site: TurnedSite

  beforeAll(async () => {
    site = await openTurnedSite()
  })
  afterAll(async () => {
    await site?.stop()
    await site?.close()
  })

  async function newAgent(): Promise<string> {
    return (await site.must('right', { path: '/agents', body: { name: 'Agent' } })).id
  }

  async function newMandate(terms: object, on: ProcessName = 'right') {
    const agentId = await newAgent()
    const { id } = await site.must(on, { path: '/mandates', body: { ...terms, agentId } })
    await site.must(on, { path: `/mandates/${id}/activate` })
    return { agentId, id }
  }

  const spend = (on: ProcessName, agentId: string, fields: object): Promise<Body> =>
    site.must(on, { path: '/gateway/evaluate', body: aSpend(agentId, { ...fields }) })
  const read = (on: ProcessName, path: string) => site.must(on, { method: 'GET', path })
  const idsOf = ({ data }: Body) => data.map((row) => row.id ?? row.transactionId).sort()
  const codeOf = ({ status, text }: CallAnswer) => `${status} ${JSON.parse(text).code ?? ''}`
  const same = <T>(value: T) => PROCESSES.map(() => value)

  test('give back no hold whose time is not over, so that nothing is spent twice', async () => {
    const { agentId, id } = await newMandate({ budgetTotal: 10 })
    const hold = { amount: 10, hold: { expiresIn: '30m' } }
    const { transactionId } = await spend('right', agentId, hold)
    // A process that shows a budget first gives back what is overdue by its clock.
    const held = await site.everywhere(async (on) => (await read(on, `/mandates/${id}`)).budgetHeld)
    const decisions = await site.everywhere(
      async (on) => (await spend(on, agentId, { amount: 10 })).decision,
    )
    await site.must('right', { path: `/transactions/${transactionId}/settle` })
    const spent = (await read('right', `/mandates/${id}`)).budgetSpent
    expect({ held, decisions, spent }).toEqual({
      held: same(10),
      decisions: same('rejected'),
      spent: 10,
    })
  })

  test('show a hold as held until its time is over, and let it be voided', async () => {
    for (const on of PROCESSES) {
      const { agentId } = await newMandate({ budgetTotal: 10 })
      const hold = { amount: 10, hold: { expiresIn: '30m' } }
      const { transactionId } = await spend('right', agentId, hold)
      const path = `/transactions/${transactionId}`
      expect((await read(on, path)).status, on).toBe('held')
      expect((await read(on, `/transactions?status=held&agentId=${agentId}`)).data).toHaveLength(1)
      expect((await site.must(on, { path: `${path}/void` })).status, on).toBe('voided')
    }
  })

  test('let nobody void a hold whose time is over', async () => {
    for (const on of PROCESSES) {
      const { agentId } = await newMandate({ budgetTotal: 10 })
      const hold = { amount: 10, hold: { expiresIn: '30m' } }
      const { transactionId } = await spend('right', agentId, hold)
      await site.db.query({
        text: 'update transactions set expires_at = clock_timestamp() where agent_id = $1',
        values: [agentId],
      })
      const answer = await site.call(on, { path: `/transactions/${transactionId}/void` })
      expect([on, codeOf(answer)]).toEqual([on, '409 transaction_state'])
    }
  })

  test('do not archive, end or refuse to change a mandate that lives', async () => {
    const { agentId, id } = await newMandate({
      budgetTotal: 10,
      validUntil: isoIn(HALF_AN_HOUR_MS),
    })
    const path = `/mandates/${id}`
    const archived = await site.everywhere(async (on) =>
      codeOf(await site.call(on, { method: 'DELETE', path })),
    )
    const changed = await site.everywhere(async (on) =>
      codeOf(await site.call(on, { method: 'PATCH', path, body: { name: `Changed ${on}` } })),
    )
    const statuses = await site.everywhere(async (on) => (await read(on, path)).status)
    const listed = await site.everywhere(async (on) =>
      idsOf(await read(on, `/mandates?status=active&agentId=${agentId}`)),
    )
    const { decision } = await spend('right', agentId, { amount: 1 })
    const revoked = codeOf(await site.call('ahead', { path: `${path}/revoke` }))
    expect({ archived, changed, statuses, listed, decision, revoked }).toEqual({
      archived: same('409 mandate_state'),
      changed: same('200 '),
      statuses: same('active'),
      listed: same([id]),
      decision: 'approved',
      revoked: '200 ',
    })
  })

  test('agree that a mandate has ended, and may be archived', async () => {
    const ids = await withTimeEnough(async (withinMs) => {
      const agentIds = await Promise.all(PROCESSES.map(newAgent))
      const validUntil = isoIn(withinMs)
      const made = await Promise.all(agentIds.map((agentId) => begin({ agentId, validUntil })))
      await waitUntil(() => Date.now() > Date.parse(validUntil))
      return made.includes(undefined) ? undefined : made
    })
    const pathOf = (on: ProcessName) => `/mandates/${ids[PROCESSES.indexOf(on)]}`
    const statuses = await site.everywhere(async (on) => (await read(on, pathOf(on))).status)
    const changed = await site.everywhere(async (on) =>
      codeOf(await site.call(on, { method: 'PATCH', path: pathOf(on), body: { name: 'Late' } })),
    )
    const archived = await site.everywhere(async (on) =>
      codeOf(await site.call(on, { method: 'DELETE', path: pathOf(on) })),
    )
    expect({ statuses, changed, archived }).toEqual({
      statuses: same('expired'),
      changed: same('409 mandate_state'),
      archived: same('200 '),
    })
  })

  /** Undefined if the mandate has ended before it was active. */
  async function begin(terms: object): Promise<string | undefined> {
    const body = { budgetTotal: 10, ...terms }
    const { status, text } = await site.call('right', { path: '/mandates', body })
    if (status !== 200) return undefined
    const { id }: Body = JSON.parse(text)
    const activated = await site.call('right', { path: `/mandates/${id}/activate` })
    return activated.status === 200 ? id : undefined
  }

  test('agree on which terms are in the past', async () => {
    const agentId = await newAgent()
    const create = (on: ProcessName, validUntil: string) =>
      site.call(on, { path: '/mandates', body: { agentId, budgetTotal: 1, validUntil } })
    const future = await site.everywhere(async (on) =>
      codeOf(await create(on, isoIn(HALF_AN_HOUR_MS))),
    )
    const past = await site.everywhere(
      async (on) => (await create(on, isoIn(-HALF_AN_HOUR_MS))).status,
    )
    expect({ future, past }).toEqual({ future: same('200 '), past: same(400) })
  })

  test('agree on which expiry of an API key is in the past', async () => {
    const create = (on: ProcessName, expiresAt: string) =>
      site.call(on, { path: '/api-keys', body: { name: 'Key', expiresAt } })
    const future = await site.everywhere(
      async (on) => (await create(on, isoIn(HALF_AN_HOUR_MS))).status,
    )
    const past = await site.everywhere(
      async (on) => (await create(on, isoIn(-HALF_AN_HOUR_MS))).status,
    )
    expect({ future, past }).toEqual({ future: same(200), past: same(400) })
  })

  test('accept an API key until it expires, and no longer', async () => {
    const { living, ended } = await withTimeEnough(async (withinMs) => {
      const expiresAt = Date.now() + withinMs
      const body = { name: 'Key', expiresAt: new Date(expiresAt).toISOString() }
      const { status, text } = await site.call('right', { path: '/api-keys', body })
      if (status !== 200) return undefined
      const key: Body = JSON.parse(text)
      const caller = createCaller(key.apiKey)
      const ask = async (on: ProcessName) =>
        (await site.call(on, { method: 'GET', path: '/agents' }, caller)).status
      const before = await site.everywhere(ask)
      if (Date.now() > expiresAt - LEARNED_WITHIN_MS) return undefined
      await waitUntil(() => Date.now() > expiresAt + LEARNED_WITHIN_MS)
      const after = await site.everywhere(ask)
      caller.close()
      return { living: before, ended: after }
    })
    expect({ living, ended }).toEqual({ living: same(200), ended: same(401) })
  })

  test('list the same transactions by time, whichever process wrote them', async () => {
    const { agentId } = await newMandate({ budgetTotal: 100 })
    const writeOne = async (on: ProcessName) =>
      (await spend(on, agentId, { amount: 1 })).transactionId
    await site.everywhere(writeOne)
    const from = await readClock()
    const written = await site.everywhere(writeOne)
    const to = await readClock()
    await site.everywhere(writeOne)
    const query = `/transactions?agentId=${agentId}&from=${from}&to=${to}`
    const listed = await site.everywhere(async (on) => idsOf(await read(on, query)))
    expect(listed).toEqual(same([...written].sort()))
  })

  /** The API takes milliseconds: an instant of which nothing before and everything after is later. */
  async function readClock(): Promise<string> {
    const began = Math.floor(Date.now()) + 1
    await waitUntil(() => Date.now() > began)
    return new Date(began).toISOString()
  }

  test('show the budget of the period that it is', async () => {
    const shown = await whileTheHourLasts(async (zone) => {
      const terms = { budgetTotal: 10, budgetPeriod: 'daily', timezone: zone }
      const { agentId, id } = await newMandate(terms)
      await spend('right', agentId, { amount: 10 })
      return site.everywhere(async (on) => (await read(on, `/mandates/${id}`)).budgetSpent)
    })
    expect(shown).toEqual([same(10), same(10)])
  })

  /** Runs in a zone whose day ends within the hour, and in one whose day has begun within it. */
  async function whileTheHourLasts<T>(run: (zone: string) => Promise<T>): Promise<T[]> {
    const hour = new Date().getUTCHours()
    const results = [await run(zoneAt(hour, 23)), await run(zoneAt(hour, 0))]
    return new Date().getUTCHours() === hour ? results : whileTheHourLasts(run)
  }

  /** The zone whose clocks show this hour; the names of such zones count westward. */
  function zoneAt(utcHour: number, localHour: number): string {
    const east = ((localHour - utcHour + 36) % 24) - 12
    return east === 0 ? 'UTC' : `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`
  }

  test('know an Idempotency-Key that another process was given', async () => {
    const { agentId, id } = await newMandate({ budgetTotal: 10 })
    const call = { path: '/gateway/evaluate', body: aSpend(agentId, { amount: 4 }), key: 'once' }
    const answers = await site.everywhere((on) => site.call(on, call))
    const changes = await site.everywhere((on) =>
      site.call(on, { path: `/mandates/${id}/revoke`, key: 'revoke once' }),
    )
    for (const [first, ...repeats] of [answers, changes]) {
      expect(repeats.map(({ text }) => text)).toEqual(repeats.map(() => first?.text))
      expect(repeats.map(({ isReplay }) => isReplay)).toEqual([true, true])
    }
  })

  test('take the mandate tokens of each other until they are revoked', async () => {
    const { agentId } = await newMandate({ budgetTotal: 10 })
    const path = '/gateway/mandate-token'
    for (const from of PROCESSES) {
      const { token } = await read(from, `${path}?agentId=${agentId}&ttl=900`)
      const isActive = async (on: ProcessName) =>
        (await site.must(on, { path: `${path}/introspect`, body: { token } })).active
      expect(await site.everywhere(isActive), from).toEqual(same(true))
      await site.must('behind', { path: `${path}/revoke`, body: { agentId } })
      expect(await site.everywhere(isActive), from).toEqual(same(false))
    }
  })

  test('do not deadlock on a line whose parent has the later id', async () => {
    for (let round = 0; round < 8; round += 1) {
      const parent = await newMandate({ budgetTotal: 100 }, 'ahead')
      const terms = { budgetTotal: 50, parentMandateId: parent.id }
      const children = await Promise.all([1, 2, 3].map(() => newMandate(terms, 'behind')))
      const spends = children.flatMap(({ agentId }) =>
        PROCESSES.flatMap((on) => [1, 2].map(() => spend(on, agentId, { amount: 1 }))),
      )
      await Promise.all([
        ...spends,
        site.must('right', { path: `/mandates/${parent.id}/revoke` }),
        ...PROCESSES.map((on) => spend(on, parent.agentId, { amount: 1 })),
      ])
    }
    // The server is sure to have counted a deadlock when the session that met it has ended.
    await site.stop()
    const [row] = await site.db.query<{ deadlocks: bigint }>({
      text: 'select deadlocks from pg_stat_database where datname = current_database()',
    })
    expect(Number(row?.deadlocks)).toBe(0)
  })
})
