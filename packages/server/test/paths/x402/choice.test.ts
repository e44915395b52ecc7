import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { aWallet, pay, refusalOf, WITHOUT_NODE } from './payments.ts'
import { someDocument, someOffer } from './some-offer.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp(usualEngine(), WITHOUT_NODE)
  acme = await app.organization()
  await aWallet(acme)
})
afterAll(() => app.stop())

describe('a payment of several offers', () => {
  const amounts = ['30000', '10000', '20000', '0x1']
  const payable = amounts.map((amount) => someOffer({ amount }))
  const paymentRequired = someDocument({ accepts: [...payable, someOffer({ scheme: 'upto' })] })

  test('takes the cheapest, or the one that is wished for', async () => {
    const { agentId } = await anActiveMandate(acme)
    const cheapest = await pay(acme, agentId, { paymentRequired })
    const wished = await pay(acme, agentId, { paymentRequired, acceptIndex: 2 })
    expect([cheapest.amount, wished.amount]).toEqual([0.01, 0.02])
    expect(wished.payment?.payload).toMatchObject({ accepted: { amount: '20000' } })
  })

  test.each([
    ['that cannot be paid', 3, '/accepts/3 has an amount that is not a positive integer'],
    ['that cannot be paid either', 4, '/accepts/4 has a scheme other than exact (and 1 more,'],
    ['that is not there', 5, 'Offer 5 does not exist or cannot be paid'],
  ])('takes none for a wish %s', async (_, acceptIndex, words) => {
    const { agentId } = await anActiveMandate(acme)
    const body = { agentId, url: 'https://api.vendor.example/', paymentRequired, acceptIndex }
    const { status, body: problem } = await acme.post('/gateway/x402/pay', body)
    expect([status, problem.code]).toEqual([422, 'x402_no_acceptable_offer'])
    expect(problem.detail).toContain(words)
  })

  test('takes none above the maximum of the caller, and one exactly at it', async () => {
    const { agentId } = await anActiveMandate(acme)
    const fields = { paymentRequired, acceptIndex: 2 }
    const above = await refusalOf(acme, agentId, { ...fields, maxAmount: 0.019999 })
    expect(above).toEqual([422, 'x402_max_amount_exceeded'])
    expect(bodyOf(await acme.get(`/transactions?agentId=${agentId}`)).total).toBe(0)
    expect((await pay(acme, agentId, { ...fields, maxAmount: 0.02 })).status).toBe('signed')
  })
})
