import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutboundClient } from '../../../../src/outbound/outbound-client.ts'
import { createIssuers } from '../../../../src/paths/acp/issuers/index.ts'
import type { UsableInstrument } from '../../../../src/paths/acp/issuers/token-issuer.ts'
import type { Fault } from '../../../support/acp/faults.ts'
import { sent } from '../../../support/acp/idempotency.ts'
import { type Psp, startPsp } from '../../../support/acp/psp.ts'
import { instrumentAt, someAllowance } from './some-allowance.ts'

const outbound = createOutboundClient({ allowLoopback: true, allowedNetworks: [] })
const { stripe } = createIssuers({ outbound, stripeVersion: '2026-07-29.preview' })

let psp: Psp
let instrument: UsableInstrument
let serial = 0

beforeAll(async () => {
  psp = await startPsp()
  instrument = instrumentAt(psp, 'stripe')
})
afterAll(async () => {
  await outbound.close()
  await psp.stop()
})

const freshKey = (): string => `key-${++serial}`
const issue = (changes = {}, key = freshKey(), used = instrument) =>
  stripe.issue(used, someAllowance(changes), key)
const charge = (token: string, amountMinor = 4_500) =>
  psp.charge({
    token,
    merchantId: 'acct_merchant_1',
    sessionId: 'cs_1',
    currency: 'usd',
    amountMinor,
  })

async function aToken(): Promise<string> {
  const issued = await issue()
  return 'tokenId' in issued ? issued.tokenId : ''
}

test('a token is worth what was allowed, ends when that does, and carries our ids', async () => {
  const allowance = someAllowance()
  expect(await stripe.issue(instrument, allowance, freshKey())).toEqual({
    kind: 'issued',
    tokenId: psp.tokens.at(-1)?.id,
    credentialType: 'spt',
  })
  expect(psp.tokens.at(-1)).toMatchObject({
    merchantId: 'acct_merchant_1',
    currency: 'usd',
    maxMinor: 4_500,
    expiresAtMs: allowance.expiresAt - 999,
    metadata: { 'shared_metadata[purser_transaction_id]': 'txn_1' },
  })
})

test('a repeat with the same key finds the token of the first try, whose answer was lost', async () => {
  const { length } = psp.tokens
  psp.failNext('issue', 'then_cut')
  const allowance = someAllowance()
  const key = freshKey()
  expect(await stripe.issue(instrument, allowance, key)).toMatchObject({ kind: 'unknown' })
  expect(await stripe.issue(instrument, allowance, key)).toMatchObject({ kind: 'issued' })
  expect(psp.tokens).toHaveLength(length + 1)
})

describe('is not known to have made no token', () => {
  const error = (status: number, body: object): Fault => ({ answer: sent(status, { error: body }) })
  const granted = (changes: object): Fault => ({
    answer: sent(200, {
      id: 'spt_other',
      status: 'active',
      usage_limits: { currency: 'usd', max_amount: 4_500, expires_at: 1 },
      ...changes,
    }),
  })
  test.each<readonly [string, Fault]>([
    ['that cuts the connection', 'cut'],
    ['that answers 503', '503'],
    ['that answers something else than JSON', 'garbage'],
    ['that answers without end', 'huge'],
    ['that works on the first request', error(409, { type: 'idempotency_error' })],
    ['that knows the key with another body', error(400, { type: 'idempotency_error' })],
    ['whose own supplier failed', error(424, { code: 'upstream' })],
    ['that answers with a redirect', { answer: sent(302, {}, { location: '/' }) }],
    ['whose token has no readable name', granted({ id: 7 })],
    ['whose token is over', granted({ status: 'deactivated' })],
    [
      'whose token is worth more',
      granted({ usage_limits: { currency: 'usd', max_amount: 4_501, expires_at: 1 } }),
    ],
    [
      'whose token has another currency',
      granted({ usage_limits: { currency: 'eur', max_amount: 4_500, expires_at: 1 } }),
    ],
    [
      'whose token lives longer',
      granted({ usage_limits: { currency: 'usd', max_amount: 4_500, expires_at: 9e9 } }),
    ],
    [
      'whose token can be charged each month',
      granted({
        usage_limits: {
          currency: 'usd',
          max_amount: 4_500,
          expires_at: 1,
          recurring_interval: 'month',
        },
      }),
    ],
    ['whose token shows no limits', granted({ usage_limits: null })],
  ])('an issuer %s', async (_, fault) => {
    psp.failNext('issue', fault)
    expect(await issue()).toEqual({ kind: 'unknown', why: expect.any(String) })
  })
})

describe('is refused for certain', () => {
  const refused = (code: string, retryable = false) => ({ kind: 'refused', code, retryable })

  test.each(['isk', 'mga', 'ugx'])('%s, which Stripe counts in another unit', async (currency) => {
    const { length } = psp.requests
    expect(await issue({ currency })).toEqual(refused('currency_not_supported'))
    expect(psp.requests).toHaveLength(length)
  })

  test('a token for a shop without a profile', async () => {
    expect(await issue({ profileId: null })).toEqual(refused('profile_id_missing'))
  })

  test('what Stripe does not know, with the code that it gives', async () => {
    const unknown = { ...instrument, paymentMethod: 'pm_unknown' }
    expect(await issue({}, freshKey(), unknown)).toEqual(refused('resource_missing'))
    const stranger = { ...instrument, credential: 'sk_test_other' }
    expect(await issue({}, freshKey(), stranger)).toEqual(refused('api_key_invalid'))
  })

  test('what comes too often, which may be repeated', async () => {
    psp.failNext('issue', { answer: sent(429, { error: { code: 'rate_limit' } }) })
    expect(await issue()).toEqual(refused('rate_limit', true))
  })

  test('a code that is none is not handed on', async () => {
    psp.failNext('issue', { answer: sent(402, { error: { code: '<b>sk_test</b>' } }) })
    expect(await issue()).toEqual(refused('issuer_402'))
  })

  test('what never left this machine', async () => {
    const away = { ...instrument, baseUrl: psp.url.replace('http:', 'https:') }
    expect(await issue({}, freshKey(), away)).toEqual(refused('issuer_unreachable', true))
    const inside = { ...instrument, baseUrl: 'https://10.0.0.1' }
    expect(await issue({}, freshKey(), inside)).toEqual(refused('issuer_not_allowed'))
  })
})

test('a token that needs the payer first says where', async () => {
  psp.askPayerNext()
  const issued = await issue()
  const tokenId = psp.tokens.at(-1)?.id ?? ''
  expect(issued).toEqual({ kind: 'action', tokenId, url: 'https://hooks.stripe.example/3ds' })
  expect(await stripe.inspect(instrument, tokenId)).toEqual({ kind: 'open' })
})

describe('what became of a token', () => {
  test('is open until it is charged, and then over with what was taken', async () => {
    const token = await aToken()
    expect(await stripe.inspect(instrument, token)).toEqual({ kind: 'open' })
    charge(token, 4_000)
    expect(await stripe.inspect(instrument, token)).toEqual({ kind: 'over', capturedMinor: 4_000 })
  })

  test('is over without a charge once its time is past', async () => {
    const token = await aToken()
    psp.expire(token)
    expect(await stripe.inspect(instrument, token)).toEqual({ kind: 'over', capturedMinor: 0 })
  })

  test('is over with nothing taken once it is revoked, however often that is asked for', async () => {
    const token = await aToken()
    for (const _ of [1, 2]) {
      expect(await stripe.revoke(instrument, token)).toEqual({ kind: 'over', capturedMinor: 0 })
    }
    expect(charge(token)).toBe('token_revoked')
  })

  test('shows what was taken where it comes too late to be revoked', async () => {
    const token = await aToken()
    charge(token)
    expect(await stripe.revoke(instrument, token)).toEqual({ kind: 'over', capturedMinor: 4_500 })
  })

  test('is still open where the revocation failed and the token shows it', async () => {
    const token = await aToken()
    psp.failNext('revoke', '503')
    expect(await stripe.revoke(instrument, token)).toEqual({ kind: 'open' })
    expect(await stripe.revoke(instrument, token)).toEqual({ kind: 'over', capturedMinor: 0 })
  })

  const shown = (body: object): Fault => ({ answer: sent(200, body) })
  test.each<readonly [string, Fault]>([
    ['cut off', 'cut'],
    ['of another kind', 'garbage'],
    ['about another token', shown({ id: 'spt_999', status: 'deactivated' })],
    ['that names no state we know', shown({ id: 'spt_1', status: 'sleeping' })],
    ['that there is no such token', { answer: sent(404, { error: { code: 'resource_missing' } }) }],
  ])('is not known after an answer %s', async (_, fault) => {
    psp.failNext('inspect', fault)
    const state = await stripe.inspect(instrument, 'spt_1')
    expect(state).toEqual({ kind: 'unknown', why: expect.any(String) })
  })

  test.each([
    ['not said', null, 'revoked'],
    ['no integer', { amount_captured: { value: 1.5 } }, 'expired'],
    ['nothing of a token that is used up', { amount_captured: { value: 0 } }, 'consumed'],
  ])('is over with an unknown charge where that is %s', async (_, usage, reason) => {
    const token = { id: 'spt_1', status: 'deactivated', deactivated_reason: reason }
    psp.failNext('inspect', shown({ ...token, usage_details: usage }))
    expect(await stripe.inspect(instrument, 'spt_1')).toEqual({ kind: 'over', capturedMinor: null })
  })

  test('is asked of no other address, whatever the token is called', async () => {
    await stripe.inspect(instrument, '../../v1/charges?x=')
    expect(psp.requests.at(-1)?.path).toBe(
      '/v1/shared_payment/issued_tokens/..%2F..%2Fv1%2Fcharges%3Fx%3D',
    )
  })
})
