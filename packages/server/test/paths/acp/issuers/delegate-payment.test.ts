import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutboundClient } from '../../../../src/outbound/outbound-client.ts'
import { createIssuers } from '../../../../src/paths/acp/issuers/index.ts'
import type { UsableInstrument } from '../../../../src/paths/acp/issuers/token-issuer.ts'
import { acpSettings } from '../../../../src/paths/acp/settings.ts'
import { readConfig } from '../../../../src/process/config.ts'
import type { Fault } from '../../../support/acp/faults.ts'
import { refuse, sent } from '../../../support/acp/idempotency.ts'
import { type Psp, startPsp } from '../../../support/acp/psp.ts'
import { instrumentAt, someAllowance } from './some-allowance.ts'

const outbound = createOutboundClient({ allowLoopback: true, allowedNetworks: [] })
const { delegate_payment: issuer } = createIssuers({ outbound, stripeVersion: 'any' })

let psp: Psp
let instrument: UsableInstrument
let serial = 0

beforeAll(async () => {
  psp = await startPsp()
  instrument = instrumentAt(psp, 'delegate_payment')
})
afterAll(async () => {
  await outbound.close()
  await psp.stop()
})

const freshKey = (): string => `key-${++serial}`
const issue = (changes = {}, key = freshKey(), used = instrument) =>
  issuer.issue(used, someAllowance(changes), key)

test('a token is for one session, one merchant and one amount, in the form that is published', async () => {
  const allowance = someAllowance()
  expect(await issuer.issue(instrument, allowance, freshKey())).toEqual({
    kind: 'issued',
    tokenId: psp.tokens.at(-1)?.id,
    credentialType: 'spt',
  })
  expect(psp.tokens.at(-1)).toMatchObject({
    merchantId: 'acct_merchant_1',
    sessionId: 'cs_1',
    currency: 'usd',
    maxMinor: 4_500,
    expiresAtMs: allowance.expiresAt,
    metadata: allowance.metadata,
  })
  expect(psp.violations).toEqual([])
})

test('providers may have it below an address of their own', async () => {
  const below = { ...instrument, baseUrl: `${psp.url}/sessions` }
  expect(await issue({}, freshKey(), below)).toMatchObject({ kind: 'issued' })
  expect(psp.requests.at(-1)?.path).toBe('/sessions/agentic_commerce/delegate_payment')
})

test('a repeat with the same key makes no second token', async () => {
  const { length } = psp.tokens
  const allowance = someAllowance()
  const key = freshKey()
  psp.failNext('issue', 'then_cut')
  expect(await issuer.issue(instrument, allowance, key)).toMatchObject({ kind: 'unknown' })
  expect(await issuer.issue(instrument, allowance, key)).toMatchObject({ kind: 'issued' })
  expect(psp.tokens).toHaveLength(length + 1)
  const other = { ...allowance, maxMinor: 1 }
  expect(await issuer.issue(instrument, other, key)).toMatchObject({ kind: 'unknown' })
})

test.each<readonly [string, Fault]>([
  ['cut', 'cut'],
  ['a failure', '503'],
  ['no JSON', 'garbage'],
  ['without end', 'huge'],
  ['that the first is under way', { answer: refuse(409, 'idempotency_in_flight') }],
  ['without a reason', { answer: sent(422, {}) }],
  ['a token without a name', { answer: sent(201, { id: '' }) }],
])('an answer that is %s leaves it open whether there is a token', async (_, fault) => {
  psp.failNext('issue', fault)
  expect(await issue()).toEqual({ kind: 'unknown', why: expect.any(String) })
})

test('what the provider refuses is refused for certain', async () => {
  const refused = { kind: 'refused', retryable: false }
  const unknown = { ...instrument, paymentMethod: 'pm_unknown' }
  expect(await issue({}, freshKey(), unknown)).toEqual({ ...refused, code: 'invalid_card' })
  const stranger = { ...instrument, credential: 'other' }
  expect(await issue({}, freshKey(), stranger)).toEqual({ ...refused, code: 'unauthorized' })
  psp.failNext('issue', { answer: refuse(429, 'too_many_requests') })
  expect(await issue()).toEqual({ ...refused, code: 'too_many_requests', retryable: true })
  const nowhere = { ...instrument, baseUrl: null }
  expect(await issue({}, freshKey(), nowhere)).toMatchObject({ kind: 'refused' })
})

test('a token can neither be asked for nor revoked', async () => {
  for (const ask of [issuer.inspect, issuer.revoke]) {
    expect(await ask(instrument, 'vt_1')).toMatchObject({ kind: 'unknown' })
  }
})

describe('the version of Stripe', () => {
  const path = { name: 'acp', settings: acpSettings, open: () => ({}) } as const
  const settingsOf = (env: Record<string, string>) =>
    readConfig(env, { paths: [path] }).paths[0]?.settings

  test('is a preview unless the operator names another', () => {
    expect(settingsOf({})).toEqual({ stripeVersion: '2026-07-29.preview' })
    const env = { PURSER_ACP_STRIPE_VERSION: '2026-04-22.preview' }
    expect(settingsOf(env)).toEqual({ stripeVersion: '2026-04-22.preview' })
  })

  test('is refused where it is none', () => {
    expect(() => settingsOf({ PURSER_ACP_STRIPE_VERSION: 'newest' })).toThrow(
      'PURSER_ACP_STRIPE_VERSION must be a version',
    )
  })
})
