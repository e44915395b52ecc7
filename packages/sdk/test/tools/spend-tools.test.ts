import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Purser } from '../../src/index.ts'
import { openToolShop, runTool, type Shop } from './shop.ts'

const LUNCH = { purchaseId: 'lunch', amount: 4, vendor: 'shop.example.com', category: 'food' }

describe('the tools that spend', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openToolShop()
  })
  afterAll(() => shop?.stop())

  test('buy once under a purchaseId, and say that an answer is repeated', async () => {
    const buyer = await shop.buyer(10)
    const first = await buyer.call('authorize_spend', LUNCH)
    expect(first).toMatchObject({
      isError: false,
      decision: 'approved',
      repeated: false,
      status: 'settled',
      remainingBudget: 6,
    })
    const second = await buyer.call('authorize_spend', LUNCH)
    expect(second).toMatchObject({
      decision: 'approved',
      repeated: true,
      transactionId: first['transactionId'],
    })
    expect(second.summary).toContain('Do not pay again')
    expect(await buyer.spent()).toBe(4)
  })

  test('judge a rejected purchase again, in the same chain for every process', async () => {
    const buyer = await shop.buyer(3)
    const other = new Purser({ apiKey: buyer.apiKey, baseUrl: shop.baseUrl })
    const first = await buyer.call('authorize_spend', LUNCH)
    const second = await runTool(other, 'authorize_spend', LUNCH)
    expect([first['decision'], second['decision']]).toEqual(['rejected', 'rejected'])
    expect(second['transactionId']).not.toBe(first['transactionId'])

    await shop.people.mandates.updateBudget(buyer.mandateId, { budgetTotal: 20 })
    const third = await buyer.call('authorize_spend', LUNCH)
    const fourth = await runTool(other, 'authorize_spend', LUNCH)
    expect(third).toMatchObject({ decision: 'approved', repeated: false })
    expect(fourth).toMatchObject({
      decision: 'approved',
      repeated: true,
      transactionId: third['transactionId'],
    })
    expect(await buyer.spent()).toBe(4)
  })

  test('buy once when many processes try at the same time', async () => {
    const buyer = await shop.buyer(100)
    const results = await Promise.all(
      Array.from({ length: 8 }, () => buyer.call('authorize_spend', LUNCH)),
    )
    expect(new Set(results.map((it) => it['transactionId'])).size).toBe(1)
    expect(results.filter((it) => it['repeated'] === false)).toHaveLength(1)
    expect(await buyer.spent()).toBe(4)
  })

  test('explain a rejection: the cause, what would pass, and what does not help', async () => {
    const buyer = await shop.buyer(3)
    const result = await buyer.call('authorize_spend', LUNCH)
    expect(result).toMatchObject({
      isError: false,
      decision: 'rejected',
      code: 'budget_exceeded',
      next: { maxAmountNow: 3, retryAfter: null },
      waitingHelps: 'no',
      splittingHelps: false,
      retryable: false,
    })
    expect(result.summary).toMatch(/At most 3 would pass now.*Waiting alone.*Do not split/)
  })

  test('name the time at which waiting helps', async () => {
    const buyer = await shop.buyer(100, [{ type: 'limit', maxCount: 1, window: '1h' }])
    await buyer.call('authorize_spend', LUNCH)
    const result = await buyer.call('authorize_spend', { ...LUNCH, purchaseId: 'dinner' })
    const { retryAfter } = result['next'] as { retryAfter: string }
    expect(result).toMatchObject({ code: 'limit_count_exceeded', waitingHelps: 'yes' })
    expect(result.summary).toContain(retryAfter)
  })

  test('do not tell a model how to buy the same thing twice', async () => {
    const buyer = await shop.buyer(100, [{ type: 'duplicate', window: '1h' }])
    await buyer.call('authorize_spend', LUNCH)
    const again = await buyer.call('authorize_spend', { ...LUNCH, purchaseId: 'lunch again' })
    expect(again).toMatchObject({
      code: 'duplicate_transaction',
      next: { maxAmountNow: null, maxAmountWithApproval: null },
    })
    expect(again.summary).toContain('list_transactions')
  })

  test('say what a purchaseId was used for', async () => {
    const buyer = await shop.buyer(10)
    await buyer.call('authorize_spend', { ...LUNCH, reason: 'Hungry' })
    const result = await buyer.call('authorize_spend', { ...LUNCH, amount: 5 })
    expect(result).toMatchObject({
      isError: true,
      code: 'purchase_id_reused',
      earlier: { decision: 'approved', amount: 4, untrusted: { reason: 'Hungry' } },
    })
    expect(result.summary).toContain('This call spent nothing')
    expect(await buyer.spent()).toBe(4)
  })

  test('check a spend without recording anything', async () => {
    const buyer = await shop.buyer(3)
    const { purchaseId: _, ...spend } = LUNCH
    expect(await buyer.call('check_spend', { ...spend, amount: 2 })).toMatchObject({
      decision: 'approved',
      recorded: false,
    })
    expect(await buyer.call('check_spend', spend)).toMatchObject({
      decision: 'rejected',
      code: 'budget_exceeded',
    })
    expect((await buyer.purser.transactions.list().page()).data).toEqual([])
  })

  test('settle a hold to what was paid, and release one of which nothing was paid', async () => {
    const buyer = await shop.buyer(10)
    const held = await buyer.call('authorize_spend', { ...LUNCH, holdFor: '15m' })
    expect(held).toMatchObject({ decision: 'approved', status: 'held' })
    const settle = { transactionId: held['transactionId'], amount: 3 }
    for (const _ of [1, 2]) {
      expect(await buyer.call('settle_spend', settle)).toMatchObject({
        isError: false,
        status: 'settled',
        settledAmount: 3,
      })
    }
    expect(await buyer.call('settle_spend', { ...settle, amount: 2 })).toMatchObject({
      isError: true,
      code: 'transaction_state',
    })
    expect(await buyer.call('authorize_spend', { ...LUNCH, holdFor: '15m' })).toMatchObject({
      repeated: true,
      status: 'settled',
      settledAmount: 3,
    })
    expect(await buyer.spent()).toBe(3)

    const second = { ...LUNCH, purchaseId: 'tea', holdFor: '15m' }
    const { transactionId } = await buyer.call('authorize_spend', second)
    await buyer.call('settle_spend', { transactionId, outcome: 'not_paid' })
    const repeated = await buyer.call('authorize_spend', second)
    expect(repeated).toMatchObject({ repeated: true, status: 'voided' })
    expect(repeated.summary).toContain('Do not pay under it')
    expect(await buyer.spent()).toBe(3)
  })

  test('answer mistakes in words, without a call of the gateway', async () => {
    const nowhere = new Purser({ apiKey: 'psk_none', baseUrl: 'http://127.0.0.1:9' })
    const result = await runTool(nowhere, 'authorize_spend', { amount: '4', vendor: 'a', x: 1 })
    expect(result).toMatchObject({ isError: true, code: 'invalid_arguments' })
    for (const words of [
      '`purchaseId` is missing.',
      '`category` is missing.',
      '`amount` must be a number, without quotes.',
      '`x` is not an argument of this tool.',
    ]) {
      expect(result.summary).toContain(words)
    }
    expect((await runTool(nowhere, 'pay_x402', { purchaseId: 'a', url: 'b' })).summary).toContain(
      '`maxAmount` is missing.',
    )
  })

  test('take null for a field that is left out', async () => {
    const buyer = await shop.buyer(10)
    const result = await buyer.call('authorize_spend', { ...LUNCH, agentId: null, reason: null })
    expect(result).toMatchObject({ decision: 'approved' })
  })

  test('give an error of the gateway as a result', async () => {
    const wrong = new Purser({ apiKey: 'psk_wrong', baseUrl: shop.baseUrl, retries: 0 })
    expect(await runTool(wrong, 'authorize_spend', LUNCH)).toMatchObject({
      isError: true,
      code: 'unauthenticated',
      retryable: false,
    })
    const buyer = await shop.buyer(10)
    const refused = await buyer.call('authorize_spend', { ...LUNCH, amount: 0.1234567 })
    expect(refused).toMatchObject({ isError: true, code: 'validation_failed' })
    expect(refused.summary).toBe(
      '/amount is 0.1234567, but must have at most six decimals. Correct the arguments and call again.',
    )
    const twice = { ...LUNCH, amount: 0.1234567, currency: 'XXZ1' }
    const { summary } = await buyer.call('authorize_spend', twice)
    expect(summary.match(/\/currency/g)).toHaveLength(1)
    expect(summary.match(/\/amount/g)).toHaveLength(1)
    expect(summary).not.toContain('see errors')
    const gone = new Purser({ apiKey: 'psk_none', baseUrl: 'http://127.0.0.1:9', retries: 0 })
    expect(await runTool(gone, 'authorize_spend', LUNCH)).toMatchObject({
      isError: true,
      code: 'network_error',
      retryable: true,
    })
  })
})
