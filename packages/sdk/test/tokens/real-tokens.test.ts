import { verifyMandateToken } from '@purser/sdk'
import { describe, expect, test } from 'vitest'
import { anActiveMandate } from '../../../server/test/support/builders.ts'
import { issueToken, readClaims } from '../../../server/test/support/mandate-tokens.ts'
import { codeOf, SHOP, useTokenScene } from './token-scene.ts'

const scene = useTokenScene()

describe('a token of a real gateway', () => {
  test('verifies, with typed claims and one request for the keys', async () => {
    const claims = await verifyMandateToken(scene.token, scene.options)
    expect(claims).toEqual(readClaims(scene.token))
    expect(claims).toMatchObject({ sub: scene.agentId, aud: SHOP, ver: 1, use: 'attestation' })
    const [constraint] = claims.constraints
    if (constraint?.type !== 'dev.purser.payee.1') throw new Error('There is no payee.')
    const vendor: string = constraint.vendor
    expect(vendor).toBe('shop.example')
    await verifyMandateToken(scene.token, scene.options)
    expect(scene.sent).toEqual([`${scene.issuer}/.well-known/jwks.json`])
  })

  test('of a mandate that discloses its limit has the maximum', async () => {
    const open = await anActiveMandate(scene.acme, {
      discloseLimits: true,
      rules: [{ type: 'amount', max: 25 }],
    })
    const issued = await issueToken(scene.acme, { agentId: open.agentId, audience: SHOP })
    const { constraints } = await verifyMandateToken(issued.token, scene.options)
    const amount = constraints.find(({ type }) => type === 'dev.purser.amount.1')
    expect(amount).toEqual({ type: 'dev.purser.amount.1', max: '25', currency: 'USD' })
  })

  test('still verifies after it was revoked: only introspection knows', async () => {
    const revoked = await issueToken(scene.acme, { agentId: scene.agentId, audience: SHOP })
    await scene.acme.post('/gateway/mandate-token/revoke', { jti: revoked.jti })
    expect(await codeOf(verifyMandateToken(revoked.token, scene.options))).toBe('accepted')
    const { body } = await scene.acme.post('/gateway/mandate-token/introspect', {
      token: revoked.token,
    })
    expect(body).toEqual({ active: false })
  })

  test('for the gateway itself is refused until the program lists its constraints', async () => {
    const ruled = await anActiveMandate(scene.acme, {
      rules: [{ type: 'paths', allow: ['evaluate'] }],
    })
    const own = await issueToken(scene.acme, { agentId: ruled.agentId })
    const inside = { ...scene.options, audience: scene.issuer }
    expect(await codeOf(verifyMandateToken(own.token, inside))).toBe('constraint_unknown')
    const constraints = readClaims(own.token).constraints.map(({ type }) => type)
    const claims = await verifyMandateToken(own.token, { ...inside, constraints })
    expect(claims.budget?.currency).toBe('USD')
  })

  test('is refused by a different audience, and by a different issuer without a request', async () => {
    const other = { ...scene.options, audience: 'https://other.example' }
    expect(await codeOf(verifyMandateToken(scene.token, other))).toBe('audience_mismatch')
    scene.sent.length = 0
    const elsewhere = { ...scene.options, issuer: 'https://gateway.example' }
    expect(await codeOf(verifyMandateToken(scene.token, elsewhere))).toBe('issuer_mismatch')
    expect(scene.sent).toEqual([])
  })

  test('is refused before and after its time, with 30 s of leeway', async () => {
    const { nbf, exp } = readClaims(scene.token)
    const at = (seconds: number) =>
      codeOf(verifyMandateToken(scene.token, { ...scene.options, now: seconds * 1_000 }))
    expect(await at(exp + 29)).toBe('accepted')
    expect(await at(exp + 30)).toBe('token_expired')
    expect(await at(nbf - 30)).toBe('accepted')
    expect(await at(nbf - 31)).toBe('token_not_yet_valid')
    expect(await at(Number.NaN)).toBe('options_invalid')
    const strict = { ...scene.options, leewaySeconds: 0, now: exp * 1_000 }
    expect(await codeOf(verifyMandateToken(scene.token, strict))).toBe('token_expired')
  })
})
