import { expect, test } from 'vitest'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { rotateSigningKey } from '../../src/tokens/signing-keys.ts'
import {
  aDraft,
  aKey,
  anActiveMandate,
  anAgent,
  aRevokedMandate,
  bodyOf,
} from '../support/builders.ts'
import { askForToken, introspect, issueToken } from '../support/mandate-tokens.ts'
import type { Flow } from './stage.ts'

export const tokensFlow: Flow = (stage) => {
  test('a token is issued, looked at and revoked in three ways', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    const { client } = await aKey(app, acme, { agentIds: [agentId] })
    const [first, second] = [await issueToken(acme, { agentId }), await issueToken(client, {})]
    expect(await introspect(acme, first.token)).toMatchObject({ active: true })
    bodyOf(await acme.post('/gateway/mandate-token/revoke', { jti: first.jti }))
    expect(await introspect(acme, first.token)).toEqual({ active: false })
    expect(await introspect(client, second.token)).toMatchObject({ active: true })
    bodyOf(await client.post('/gateway/mandate-token/revoke', { mandateId }))
    expect(await introspect(client, second.token)).toEqual({ active: false })
    bodyOf(await client.post('/gateway/mandate-token/revoke', { agentId }))
  })

  test('an agent without an active mandate is told what became of its last one', async () => {
    const acme = await stage().app.organization()
    const reasonOf = async (agentId: string) =>
      JSON.parse((await askForToken(acme, { agentId })).text).reason
    expect(await reasonOf((await anAgent(acme)).id)).toBe('no_mandate')
    expect(await reasonOf((await aDraft(acme)).agentId)).toBe('draft')
    expect(await reasonOf((await aRevokedMandate(acme)).agentId)).toBe('revoked')
  })

  test('another signing key is published beside the first', async () => {
    const { app, db } = stage()
    const sealer = createSealer(Buffer.alloc(32, 7))
    const published = async () => {
      const { body } = await app.app.inject('/.well-known/jwks.json')
      return JSON.parse(body).keys.length
    }
    const before = await published()
    await rotateSigningKey({ db, sealer })
    app.clock.now = (await app.time.read(db)) + 60_000
    expect(await published()).toBe(before + 1)
    app.clock.now = undefined
  })
}
