import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Merchant, startMerchant } from '../../support/acp/merchant.ts'
import { createPlainBuyer, type PlainBuyer, send } from '../../support/acp/plain-buyer.ts'
import { type Psp, startPsp } from '../../support/acp/psp.ts'

let psp: Psp
let merchant: Merchant
let buyer: PlainBuyer

beforeAll(async () => {
  psp = await startPsp()
  merchant = await startMerchant({ charge: psp.charge })
  buyer = createPlainBuyer(merchant, psp)
})
afterAll(async () => {
  await merchant.stop()
  await psp.stop()
})

test('a token of one key is made once, also when its answer was lost', async () => {
  const { length } = psp.tokens
  psp.failNext('issue', 'then_cut')
  const allowance = { checkout_session_id: 'cs_1' }
  await expect(buyer.delegate(allowance, 'one')).rejects.toThrow()
  expect(await buyer.delegate(allowance, 'one')).toMatchObject({
    status: 201,
    body: { id: psp.tokens.at(-1)?.id },
  })
  expect(psp.tokens).toHaveLength(length + 1)
  expect(await buyer.delegate({ checkout_session_id: 'cs_2' }, 'one')).toMatchObject({
    status: 422,
  })
})

test('a token that no schema allows is not made', async () => {
  const { length } = psp.violations
  expect(await buyer.delegate({ checkout_session_id: 'cs_1', max_amount: '45' })).toMatchObject({
    status: 400,
  })
  expect(psp.violations).toHaveLength(length + 1)
})

describe('shared payment tokens', () => {
  const stripe = (
    path: string,
    form?: Readonly<Record<string, string>>,
    version = '2026-07-29.preview',
  ) =>
    send(`${psp.url}/v1/shared_payment/issued_tokens${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${psp.credential}`, 'stripe-version': version },
      ...(form && { body: new URLSearchParams(form) }),
    })
  const grant = (changes: Readonly<Record<string, string>> = {}) =>
    stripe('', {
      payment_method: psp.paymentMethod,
      'seller_details[network_business_profile]': psp.profileId,
      'usage_limits[currency]': 'usd',
      'usage_limits[max_amount]': '4500',
      'usage_limits[expires_at]': String(Math.floor((Date.now() + 3_600_000) / 1_000)),
      ...changes,
    })

  test('are charged by the merchant of the profile, and show what was taken', async () => {
    const { body: token } = await grant()
    expect(token).toMatchObject({ status: 'active', deactivated_reason: null })
    const id = merchant.openCheckout()
    expect(await buyer.complete(id, token.id)).toMatchObject({ kind: 'completed' })
    expect((await stripe(`/${token.id}`)).body).toMatchObject({
      status: 'deactivated',
      deactivated_reason: 'consumed',
      usage_details: { amount_captured: { value: 4_500, currency: 'usd' } },
    })
    expect((await stripe(`/${token.id}/revoke`, {})).status).toBe(400)
  })

  test('can be charged no more once they are revoked or over', async () => {
    const [first, second] = [(await grant()).body, (await grant()).body]
    expect((await stripe(`/${first.id}/revoke`, {})).body).toMatchObject({
      deactivated_reason: 'revoked',
    })
    psp.expire(second.id)
    expect((await stripe(`/${second.id}`)).body).toMatchObject({ deactivated_reason: 'expired' })
    for (const { id: token } of [first, second]) {
      expect(await buyer.complete(merchant.openCheckout(), token)).toMatchObject({
        kind: 'declined',
      })
    }
  })

  test('may need the payer first', async () => {
    psp.askPayerNext()
    const { body: token } = await grant()
    expect(token).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'redirect_to_url' },
    })
    psp.payerActed(token.id)
    expect((await stripe(`/${token.id}`)).body).toMatchObject({ status: 'active' })
  })

  test('are not made for what the preview does not know', async () => {
    expect((await grant({ amount: '1' })).body).toMatchObject({
      error: { code: 'parameter_unknown' },
    })
    expect((await grant({ 'usage_limits[max_amount]': '45.00' })).status).toBe(400)
    expect((await stripe('/spt_1', undefined, '2026-10-28.endive')).status).toBe(400)
  })
})
