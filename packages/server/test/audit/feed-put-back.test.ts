import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { leavesOf, sealAll, sealRound } from '../support/audit-log.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { recordLog } from '../support/recorded-log.ts'
import { evaluate } from '../support/spends.ts'

describe('a log of which a number was put back', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())

  async function aSealedLog() {
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    for (const amount of [1, 2, 3]) await evaluate(acme, agentId, { amount })
    await sealAll(app)
    return { acme, agentId, leaves: await leavesOf(app, acme) }
  }

  const setNumber = (table: string, { organizationId }: Owner, number: bigint) =>
    app.rows(`update ${table} set last_number = $2 where organization_id = $1`, [
      organizationId,
      number,
    ])
  const numberOf = async ({ organizationId }: Owner) => {
    const [row] = await app.rows<{ last: bigint }>(
      'select last_number as last from event_feeds where organization_id = $1',
      [organizationId],
    )
    return row?.last ?? 0n
  }
  /** What a round of the sealer writes about this organization. */
  async function linesOf({ organizationId }: Owner): Promise<unknown[]> {
    const { log, lines } = recordLog()
    await sealRound(app, app.database.db, log)
    return lines.filter((line) => line['organizationId'] === organizationId)
  }
  const health = async () => (await app.app.inject({ method: 'GET', url: '/readyz' })).json()
  const goOn = ({ organizationId }: Owner) =>
    app.rows('delete from audit_stops where organization_id = $1', [organizationId])

  test('gets no leaf twice, and log and health say that it stopped', async () => {
    const { acme, leaves } = await aSealedLog()
    expect(await health()).toMatchObject({ status: 'ready', sealing: true })
    await setNumber('audit_logs', acme, 2n)
    const lines = await linesOf(acme)
    expect(await leavesOf(app, acme)).toEqual(leaves)
    const last = String(leaves.at(-1)?.number)
    expect(lines).toMatchObject([{ level: 50, lastLeaf: last, nextNumber: '3' }])
    expect(await health()).toMatchObject({ status: 'ready', sealing: false })
    // It is said in every round.
    expect(await linesOf(acme)).toHaveLength(1)
    await setNumber('audit_logs', acme, await numberOf(acme))
    await goOn(acme)
    expect(await health()).toMatchObject({ sealing: true })
    await acme.post('/agents', { name: 'Another' })
    expect(await linesOf(acme)).toEqual([])
    expect(await leavesOf(app, acme)).toHaveLength(leaves.length + 1)
  })

  test('stays stopped when the feed has passed the numbers that it gave twice', async () => {
    const { acme, agentId, leaves } = await aSealedLog()
    const end = await numberOf(acme)
    await setNumber('event_feeds', acme, end - 2n)
    expect(await linesOf(acme)).toMatchObject([{ nextNumber: String(end - 1n) }])
    for (const amount of [1, 2, 3, 4]) await evaluate(acme, agentId, { amount })
    expect(await numberOf(acme)).toBeGreaterThan(end)
    expect(await linesOf(acme)).toHaveLength(1)
    expect(await leavesOf(app, acme)).toEqual(leaves)
    await goOn(acme)
  })

  test('gets none of two that have one number, decisions or not', async () => {
    for (const act of [
      ({ acme, agentId }: Awaited<ReturnType<typeof aSealedLog>>) => evaluate(acme, agentId),
      ({ acme }: Awaited<ReturnType<typeof aSealedLog>>) =>
        acme.post('/agents', { name: 'Another' }),
    ]) {
      const scene = await aSealedLog()
      await act(scene)
      await setNumber('event_feeds', scene.acme, (await numberOf(scene.acme)) - 1n)
      await evaluate(scene.acme, scene.agentId)
      const lines = await linesOf(scene.acme)
      expect(lines).toMatchObject([{ level: 50, nextNumber: String(await numberOf(scene.acme)) }])
      expect(await leavesOf(app, scene.acme)).toEqual(scene.leaves)
    }
  })

  test('of one organization holds up no other', async () => {
    const { acme } = await aSealedLog()
    const other = await aSealedLog()
    await setNumber('audit_logs', acme, 2n)
    await evaluate(other.acme, other.agentId)
    await sealRound(app)
    expect(await leavesOf(app, other.acme)).toHaveLength(other.leaves.length + 1)
  })

  test('opens, and is sealed on, where leaves were repeated before', async () => {
    const { acme, agentId, leaves } = await aSealedLog()
    await repeatLeaves(acme, 2)
    await evaluate(acme, agentId)
    expect(await linesOf(acme)).toEqual([])
    const after = await leavesOf(app, acme)
    expect(after).toHaveLength(leaves.length + 3)
    expect(bodyOf(await acme.get('/audit-log')).data).toHaveLength(after.length)
    const proof = await acme.get(`/audit-log/proof?leaf=${leaves.at(-1)?.hash.toString('hex')}`)
    expect(proof.status).toBe(200)
  })

  /** What a sealer of before did: it forgot the last leaf's number, and sealed the same once more. */
  async function repeatLeaves(acme: Owner, count: number): Promise<void> {
    const leaves = await leavesOf(app, acme)
    const end = await numberOf(acme)
    // The leaves up to there look as if they had earlier numbers, so that nobody stops.
    const first = leaves.at(-count)?.number ?? 0n
    await app.rows('alter table audit_leaves disable trigger user')
    await app.rows(
      'update audit_leaves set number = number - 1000 where organization_id = $1 and number >= $2',
      [acme.organizationId, first],
    )
    await setNumber('audit_logs', acme, first - 1n)
    await sealAll(app)
    await app.rows(
      'update audit_leaves set number = number + 1000 where organization_id = $1 and number < 0',
      [acme.organizationId],
    )
    await app.rows('alter table audit_leaves enable trigger user')
    expect(await numberOf(acme)).toBe(end)
    expect(await leavesOf(app, acme)).toHaveLength(leaves.length + count)
  }
})
