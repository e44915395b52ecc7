import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { REVOKED_TOKENS_MAX } from '../../../src/routes/mandate-tokens/revoke.ts'
import { removeEndedRevocations } from '../../../src/storage/tokens/token-revocations.ts'
import type { Client, Owner, TestApp } from '../../support/app.ts'
import {
  aKey,
  anActiveMandate,
  anAgent,
  bodyOf,
  NO_AGENT,
  NO_MANDATE,
} from '../../support/builders.ts'
import { createTokenApp, introspect, issueToken } from '../../support/mandate-tokens.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTokenApp()
  acme = await app.organization()
})
afterEach(() => {
  app.clock.now = undefined
})
afterAll(() => app.stop())

const revoke = async (client: Client, body: object) =>
  bodyOf(await client.post('/gateway/mandate-token/revoke', body))
const isActive = async (token: string, client: Client = acme) =>
  (await introspect(client, token)).active

describe('revoking tokens', () => {
  test('by id ends one, at once, and no other', async () => {
    const { agentId } = await anActiveMandate(acme)
    const [one, other] = [await issueToken(acme, { agentId }), await issueToken(acme, { agentId })]
    await revoke(acme, { jti: one.jti })
    expect([await isActive(one.token), await isActive(other.token)]).toEqual([false, true])
  })

  test('by mandate ends those under it and below it', async () => {
    const parent = await anActiveMandate(acme)
    const { id: agentId } = await anAgent(acme)
    await anActiveMandate(acme, { agentId, parentMandateId: parent.id })
    const above = await issueToken(acme, { agentId: parent.agentId })
    const below = await issueToken(acme, { agentId })
    const apart = await issueToken(acme, { agentId: (await anActiveMandate(acme)).agentId })
    await revoke(acme, { mandateId: parent.id })
    expect([await isActive(above.token), await isActive(below.token)]).toEqual([false, false])
    expect(await isActive(apart.token)).toBe(true)
  })

  test('counts for what was issued until then, to the millisecond, and not for what comes after', async () => {
    const { agentId } = await anActiveMandate(acme)
    const at = await app.time.read(app.database.db)
    app.clock.now = at
    const before = await issueToken(acme, { agentId })
    expect(await revoke(acme, { agentId })).toEqual({ revokedAt: new Date(at).toISOString() })
    const same = await issueToken(acme, { agentId })
    app.clock.now = at + 1
    const after = await issueToken(acme, { agentId })
    expect([await isActive(before.token), await isActive(same.token)]).toEqual([false, false])
    expect(await isActive(after.token)).toBe(true)
  })

  test('answers alike for what there is and what there is not', async () => {
    const nothing = [
      { jti: `mtk_${'0'.repeat(32)}` },
      { jti: `mtk_${'f'.repeat(32)}` },
      { mandateId: NO_MANDATE },
      { agentId: NO_AGENT },
    ]
    for (const body of nothing) expect(Object.keys(await revoke(acme, body))).toEqual(['revokedAt'])
    const { length: before } = await app.rows('select 1 from token_revocations')
    for (const body of nothing) await revoke(acme, body)
    expect(await app.rows('select 1 from token_revocations')).toHaveLength(before)
  })

  test.each([
    {},
    { jti: `mtk_${'0'.repeat(32)}`, agentId: NO_AGENT },
    { jti: 'mtk_1' },
    { jti: null },
  ])('refuses %j', async (body) => {
    expect((await acme.post('/gateway/mandate-token/revoke', body)).status).toBe(400)
  })

  test('with a bound key reaches the tokens of its own agents alone', async () => {
    const [own, other] = [await anActiveMandate(acme), await anActiveMandate(acme)]
    const { client } = await aKey(app, acme, { agentIds: [own.agentId] })
    const foreign = await issueToken(acme, { agentId: other.agentId })
    for (const body of [
      { jti: foreign.jti },
      { mandateId: other.id },
      { agentId: other.agentId },
    ]) {
      await revoke(client, body)
      expect(await isActive(foreign.token)).toBe(true)
    }
    const mine = await issueToken(client, {})
    await revoke(client, { jti: mine.jti })
    expect(await isActive(mine.token)).toBe(false)
  })

  test('with a bound key by mandate leaves the agents below alone', async () => {
    const parent = await anActiveMandate(acme)
    const { id: agentId } = await anAgent(acme)
    await anActiveMandate(acme, { agentId, parentMandateId: parent.id })
    const { client } = await aKey(app, acme, { agentIds: [parent.agentId] })
    const [own, below] = [await issueToken(client, {}), await issueToken(acme, { agentId })]
    await revoke(client, { mandateId: parent.id })
    expect([await isActive(own.token), await isActive(below.token)]).toEqual([false, true])
  })

  test('of another organization does nothing', async () => {
    const globex = await app.organization('Globex')
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    const { token, jti } = await issueToken(acme, { agentId })
    for (const body of [{ jti }, { mandateId }, { agentId }]) await revoke(globex, body)
    expect(await isActive(token)).toBe(true)
  })

  test('of too many single tokens ends all of them rather than one too few', async () => {
    const globex = await app.organization('Globex')
    const { agentId } = await anActiveMandate(globex)
    const { client } = await aKey(app, globex, { agentIds: [agentId] })
    const apart = await issueToken(globex, { agentId: (await anActiveMandate(globex)).agentId })
    await app.rows(
      `insert into token_revocations (organization_id, kind, subject, agent_id, revoked_at)
       select $1, 'token', gen_random_uuid(), $2, now() from generate_series(1, $3::integer)`,
      [globex.organizationId, agentId, REVOKED_TOKENS_MAX.byAgent],
    )
    const [one, two] = [await issueToken(client, {}), await issueToken(client, {})]
    await revoke(client, { jti: one.jti })
    expect([await isActive(one.token, globex), await isActive(two.token, globex)]).toEqual([
      false,
      false,
    ])
    expect(await isActive(apart.token, globex)).toBe(true)
  })

  test('is forgotten once no such token can live, and not before', async () => {
    const { agentId } = await anActiveMandate(acme)
    const at = await app.time.read(app.database.db)
    app.clock.now = at
    const { token, jti } = await issueToken(acme, { agentId, ttl: '900' })
    await revoke(acme, { jti })
    const removeAt = async (now: number): Promise<number> => {
      app.clock.now = now
      while ((await removeEndedRevocations(app.database.db, now)) > 0);
      const kept = 'select 1 from token_revocations where subject = $1'
      return (await app.rows(kept, [toUuid('mtk', jti)])).length
    }
    expect(await removeAt(at + 899_000)).toBe(1)
    expect(await isActive(token)).toBe(false)
    expect(await removeAt(at + 900_001)).toBe(0)
    expect(await isActive(token)).toBe(false)
  })
})
