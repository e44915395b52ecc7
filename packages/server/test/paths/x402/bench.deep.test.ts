import type { Hex } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { waitUntil } from '../../support/wait-until.ts'
import { type Bench, type BenchSettings, startBench } from '../../support/x402/bench.ts'
import { createBuyer } from '../../support/x402/buyer.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import {
  askV1,
  askV2,
  gzipBomb,
  type HostileVendor,
  startHostileVendor,
} from '../../support/x402/hostile-vendor.ts'
import { inventReceipt, paymentRequired } from '../../support/x402/payment-required.ts'
import { startV1Vendor } from '../../support/x402/v1-vendor.ts'
import { fromHeader } from '../../support/x402/wire.ts'

// What the tests of the x402 path stand on. Nothing of Purser is in here: a fault that shows in this
// file is one of the bench, or of the SDK that it is made of.

const SHOP = '0x00000000000000000000000000000000000c0ffe'

interface Signed {
  readonly payload: {
    readonly authorization: { readonly nonce: Hex; readonly validBefore: string }
  }
}

interface Receipt {
  readonly success: boolean
  readonly transaction: string
  readonly network: string
}

async function openBench(settings: BenchSettings = {}): Promise<Bench> {
  const bench = await startBench(settings)
  onTestFinished(bench.stop)
  return bench
}

async function openHostileVendor(): Promise<HostileVendor> {
  const vendor = await startHostileVendor()
  onTestFinished(vendor.stop)
  return vendor
}

const authorizationOf = (header: string) => fromHeader<Signed>(header).payload.authorization

describeOnChain('the bench, an honest sale', () => {
  test('takes exactly the price from a wallet without ether', async () => {
    const { chain, vendor, createPayer } = await openBench()
    const payer = await createPayer(1_000_000n)
    const response = await createBuyer(payer).fetch(`${vendor.url}/data`)

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ goods: '/data' })
    const receipt = fromHeader<Receipt>(response.headers.get('payment-response') ?? '')
    const moved = { from: payer.address, to: vendor.payTo, value: 10_000n }
    expect(await chain.transfers()).toEqual([{ ...moved, transaction: receipt.transaction }])
    expect(await chain.balanceOf(payer.address)).toBe(990_000n)
    expect(await chain.request('eth_getBalance', payer.address, 'latest')).toBe('0x0')
    expect(vendor.requests.map(({ headers }) => 'payment-signature' in headers)).toEqual([
      false,
      true,
    ])
  })

  test('takes one atomic unit', async () => {
    const { chain, vendor, createPayer } = await openBench()
    const response = await createBuyer(await createPayer()).fetch(`${vendor.url}/tiny`)
    expect(response.status).toBe(200)
    expect((await chain.transfers()).map(({ value }) => value)).toEqual([1n])
  })

  test('gives the body of a request back', async () => {
    const { vendor, createPayer } = await openBench()
    const body = JSON.stringify({ words: ['one', 'two'] })
    const headers = { 'content-type': 'application/json' }
    const buyer = createBuyer(await createPayer())
    const response = await buyer.fetch(`${vendor.url}/echo`, { method: 'POST', headers, body })
    expect(await response.json()).toEqual({ words: ['one', 'two'] })
  })

  test('speaks version 1 as well', async () => {
    const { chain, facilitator, createPayer } = await openBench()
    const vendor = await startV1Vendor({ facilitator })
    onTestFinished(vendor.stop)
    const response = await createBuyer(await createPayer()).fetch(`${vendor.url}/old`)

    expect(response.status).toBe(200)
    const receipt = fromHeader<Receipt>(response.headers.get('x-payment-response') ?? '')
    expect(receipt).toMatchObject({ success: true, network: 'base-sepolia' })
    expect(fromHeader(String(vendor.requests[1]?.headers['x-payment']))).toMatchObject({
      x402Version: 1,
      scheme: 'exact',
      network: 'base-sepolia',
    })
    expect(await chain.balanceOf(vendor.payTo)).toBe(10_000n)
  })

  test('settles ten payments at once', async () => {
    const { chain, vendor, createPayer } = await openBench()
    const buyer = createBuyer(await createPayer())
    const buying = Array.from({ length: 10 }, () => buyer.fetch(`${vendor.url}/data`))
    const statuses = (await Promise.all(buying)).map(({ status }) => status)
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))
    expect(await chain.balanceOf(vendor.payTo)).toBe(100_000n)
  })

  test.each([
    { path: '/broken', moved: 0n, receipts: 0 },
    { path: '/upfront-broken', moved: 10_000n, receipts: 1 },
  ])('answers 500 at $path, where $moved units move', async ({ path, moved, receipts }) => {
    const { chain, vendor, createPayer } = await openBench()
    const response = await createBuyer(await createPayer()).fetch(`${vendor.url}${path}`)
    expect(response.status).toBe(500)
    expect([...response.headers.keys()].filter((name) => name === 'payment-response').length).toBe(
      receipts,
    )
    expect(await chain.balanceOf(vendor.payTo)).toBe(moved)
  })
})

describeOnChain('the bench, a payment header', () => {
  test.each(['v2', 'v1'] as const)('of %s can be settled later', async (version) => {
    const { chain, facilitator, createPayer } = await openBench()
    const payer = await createPayer()
    const offer = paymentRequired({ amount: '70000', payTo: SHOP })[version]
    const header = await createBuyer(payer).sign(offer)

    const receipt = await facilitator.settleNow(header)
    expect(receipt).toMatchObject({ success: true })
    expect(await chain.balanceOf(SHOP)).toBe(70_000n)
    const { nonce } = authorizationOf(header)
    expect(await chain.authorizationState(payer.address, nonce)).toBe(true)
  })

  test('is worth nothing from the second on at which it ends', async () => {
    const { chain, facilitator, createPayer } = await openBench()
    const payer = await createPayer()
    const { v2 } = paymentRequired({ amount: '70000', payTo: SHOP, maxTimeoutSeconds: 3_600 })
    const header = await createBuyer(payer).sign(v2)
    const { nonce, validBefore } = authorizationOf(header)
    await chain.mineAt(Number(validBefore))

    // The facilitator's own check goes by the clock of this machine and lets it pass; the token does not.
    const errorReason = 'invalid_exact_evm_payload_authorization_valid_before'
    expect(await facilitator.settleNow(header)).toMatchObject({ success: false, errorReason })
    expect(await chain.authorizationState(payer.address, nonce)).toBe(false)
    expect(await chain.transfers()).toEqual([])
  })

  test('is worth nothing when its time has passed', async () => {
    const { chain, facilitator, createPayer } = await openBench()
    const header = await createBuyer(await createPayer()).sign(
      paymentRequired({ amount: '70000', payTo: SHOP }).v2,
    )
    const before = await chain.now()
    await chain.increaseTime(3_600)
    expect(await chain.now()).toBeGreaterThanOrEqual(before + 3_600)
    expect(await facilitator.settleNow(header)).toMatchObject({ success: false })
    expect(await chain.transfers()).toEqual([])
  })

  test('is worth nothing once it was cancelled', async () => {
    const { chain, facilitator, createPayer } = await openBench()
    const payer = await createPayer()
    const header = await createBuyer(payer).sign(
      paymentRequired({ amount: '70000', payTo: SHOP }).v2,
    )
    const { nonce } = authorizationOf(header)
    await chain.cancelAuthorization(payer, nonce)
    expect(await chain.authorizationState(payer.address, nonce)).toBe(true)
    const errorReason = 'invalid_exact_evm_nonce_already_used'
    expect(await facilitator.settleNow(header)).toMatchObject({ success: false, errorReason })
    expect(await chain.transfers()).toEqual([])
  })

  test('that was broadcast and not mined is pending, and pays when it is mined', async () => {
    const { chain, facilitator, createPayer } = await openBench({ confirmationTimeoutMs: 100 })
    const buyer = createBuyer(await createPayer())
    const { v2 } = paymentRequired({ amount: '70000', payTo: SHOP })
    const headers = [await buyer.sign(v2), await buyer.sign(v2)]
    await chain.setAutomine(false)
    const receipts = await Promise.all(headers.map(facilitator.settleNow))
    const pending = { success: false, errorReason: 'settlement_pending' }
    expect(receipts).toMatchObject([pending, pending])
    expect(await chain.balanceOf(SHOP)).toBe(0n)

    await chain.mine()
    const mined = (await chain.transfers()).map(({ transaction }) => transaction)
    expect(mined.toSorted()).toEqual(receipts.map(({ transaction }) => transaction).toSorted())
  })
})

describeOnChain('the bench, a facilitator that fails', () => {
  test.each([
    { fault: 'refuse', status: 402, moved: 0n },
    { fault: 'pretend', status: 200, moved: 0n },
    { fault: 'drop_socket', status: 402, moved: 0n },
    { fault: 'settle_then_drop', status: 402, moved: 10_000n },
    { fault: 'settle_then_refuse', status: 402, moved: 10_000n },
  ] as const)('with $fault shows $status, and $moved units move', async (expected) => {
    const { chain, facilitator, vendor, createPayer } = await openBench()
    facilitator.faults.settle = expected.fault
    const response = await createBuyer(await createPayer()).fetch(`${vendor.url}/data`)
    expect(response.status).toBe(expected.status)
    expect(await chain.balanceOf(vendor.payTo)).toBe(expected.moved)
  })

  test('in silence makes the vendor give up, although the money has moved', async () => {
    const { chain, facilitator, vendor, createPayer } = await openBench({
      facilitatorTimeoutMs: 2_500,
    })
    facilitator.faults.settle = 'settle_then_hang'
    const response = await createBuyer(await createPayer()).fetch(`${vendor.url}/data`)
    expect(response.status).toBe(502)
    expect(await chain.balanceOf(vendor.payTo)).toBe(10_000n)
  })

  test('may move the money when it is let go', async () => {
    const { chain, facilitator, vendor, createPayer } = await openBench()
    facilitator.faults.settle = 'hang_then_settle'
    const buying = createBuyer(await createPayer()).fetch(`${vendor.url}/data`)
    await waitUntil(() => facilitator.settleRequests.length === 1)
    expect(await chain.transfers()).toEqual([])
    await facilitator.release()
    expect((await buying).status).toBe(200)
    expect(await chain.balanceOf(vendor.payTo)).toBe(10_000n)
  })

  test('may move the money long after the vendor has given up', async () => {
    const { chain, facilitator, vendor, createPayer } = await openBench({
      facilitatorTimeoutMs: 2_500,
    })
    facilitator.faults.settle = 'hang_then_settle'
    const response = await createBuyer(await createPayer()).fetch(`${vendor.url}/data`)
    expect(response.status).toBe(502)
    expect(await chain.transfers()).toEqual([])
    await facilitator.release()
    expect(await chain.balanceOf(vendor.payTo)).toBe(10_000n)
  })
})

describeOnChain('the bench, a hostile vendor', () => {
  test.each([
    { version: 2, ask: askV2 },
    { version: 1, ask: askV1 },
  ])('of version $version keeps the payment and invents a receipt', async ({ ask }) => {
    const { chain, facilitator, createPayer } = await openBench()
    const vendor = await openHostileVendor()
    const url = vendor.behave('/offer', {
      unpaid: ask({ amount: '10000', payTo: SHOP }),
      paid: { headers: { 'payment-response': inventReceipt() }, body: 'thank you' },
    })
    const response = await createBuyer(await createPayer()).fetch(`${url}?page=1`)
    expect(await response.text()).toBe('thank you')
    expect(vendor.requests.map(({ path }) => path)).toEqual(['/offer', '/offer'])
    expect(await chain.transfers()).toEqual([])

    await facilitator.settleNow(vendor.payments[0] ?? '')
    expect(await chain.balanceOf(SHOP)).toBe(10_000n)
  })

  test('asks twice as much of whoever has paid', async () => {
    const vendor = await openHostileVendor()
    const { createPayer } = await openBench()
    const url = vendor.behave('/offer', {
      unpaid: askV2({ amount: '10000', payTo: SHOP }),
      paid: askV2({ amount: '20000', payTo: SHOP }),
    })
    const response = await createBuyer(await createPayer()).fetch(url)
    expect(response.status).toBe(402)
    expect(vendor.payments).toHaveLength(1)
  })

  test('resets, cuts, drips, hangs, redirects and inflates', async () => {
    const vendor = await openHostileVendor()
    const visit = (path: string, withinMs = 120_000): Promise<Response> =>
      fetch(`${vendor.url}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(withinMs) })
    const read = async (path: string, withinMs?: number): Promise<string> =>
      (await visit(path, withinMs)).text()
    vendor.behave('/reset', { unpaid: { fault: 'reset' } })
    vendor.behave('/cut', { unpaid: { fault: 'cut', body: 'half of' } })
    vendor.behave('/drip', { unpaid: { fault: 'drip', body: 'slow' } })
    vendor.behave('/hang', { unpaid: { fault: 'hang' } })
    vendor.behave('/away', { unpaid: { status: 307, headers: { location: '/elsewhere' } } })
    vendor.behave('/bomb', { unpaid: gzipBomb(3) })

    await expect(visit('/reset')).rejects.toThrow('fetch failed')
    await expect(read('/cut')).rejects.toThrow('terminated')
    await expect(read('/drip', 300)).rejects.toThrow('timeout')
    await expect(visit('/hang', 300)).rejects.toThrow('timeout')
    expect((await visit('/away')).headers.get('location')).toBe('/elsewhere')
    expect(await read('/bomb')).toHaveLength(3 * 1024 * 1024)
    expect((await visit('/nothing')).status).toBe(404)
  })
})
