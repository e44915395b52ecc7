import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { pathsOn } from '../../support/paths.ts'
import { startReceiver } from '../../support/receiver.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { createAccount, NETWORK } from '../../support/x402/chain.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { openShop, PAYEE, type Shop } from '../../support/x402/shop.ts'

/** As if the turn of every open payment had come. */
function hurry({ app }: Shop): Promise<unknown> {
  return app.rows(`update x402_payments set check_at = '-infinity' where state = 'held'`)
}

/** Resolves when the reconciler has asked the chain about an open payment at least once more. */
async function lookedAgain(shop: Shop): Promise<void> {
  const checks = async (): Promise<number> => {
    const rows = await shop.app.rows<{ checks: number }>('select checks from x402_payments')
    return rows[0]?.checks ?? 0
  }
  const before = await checks()
  // The second look begins after the first is over, and so after whatever the test did before.
  await waitUntil(async () => {
    await hurry(shop)
    return (await checks()) >= before + 2
  })
}

async function becomes(shop: Shop, id: string, status: string): Promise<void> {
  await waitUntil(async () => {
    await hurry(shop)
    return (await shop.transaction(id)).status === status
  })
}

const endOf = (validBefore: string | undefined) => Date.parse(validBefore ?? '') / 1_000

describeOnChain('a vendor that fails', () => {
  test('may still be paid later, so the hold stays', async () => {
    const shop = await openShop()
    const url = `${shop.vendor.url}/broken`
    const { body, ...answer } = await shop.pay(await shop.meet(url))
    expect((await shop.redeem(url, { body, ...answer })).status).toBe(500)
    await lookedAgain(shop)
    expect((await shop.transaction(body.transactionId)).status).toBe('held')
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0.01, left: 0.99 })

    await shop.facilitator.settleNow(body.payment?.headerValue ?? '')
    await becomes(shop, body.transactionId, 'settled')
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
    expect(await shop.chain.transfers()).toHaveLength(1)
  })

  test('gives the budget back once the chain has passed the end, and not a second earlier', async () => {
    const shop = await openShop()
    const { body } = await shop.pay(shop.offer({ amount: '400000' }))
    const end = endOf(body.payment?.validBefore)
    await shop.chain.mineAt(end - 1)
    await lookedAgain(shop)
    expect(await shop.budget()).toEqual({ spent: 0.4, held: 0.4, left: 0.6 })

    await shop.chain.mineAt(end)
    await becomes(shop, body.transactionId, 'voided')
    expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 1 })
    expect((await shop.transaction(body.transactionId)).external).toMatchObject({
      settlement: 'chain',
      transaction: null,
    })
    const late = await shop.facilitator.settleNow(body.payment?.headerValue ?? '')
    expect(late.success).toBe(false)
    expect(await shop.chain.transfers()).toEqual([])
  })

  test('is not given up by our own clock', async () => {
    const shop = await openShop()
    const { body } = await shop.pay(shop.offer({}))
    shop.app.clock.now = Date.now() + 86_400_000
    await lookedAgain(shop)
    expect((await shop.transaction(body.transactionId)).status).toBe('held')
  })

  test('is not given up before the block is final', async () => {
    const shop = await openShop({ finality: 3 })
    const { body } = await shop.pay(shop.offer({}))
    await shop.chain.mineAt(endOf(body.payment?.validBefore))
    await shop.chain.mine()
    await shop.chain.mine()
    await lookedAgain(shop)
    expect((await shop.transaction(body.transactionId)).status).toBe('held')
    await shop.chain.mine()
    await becomes(shop, body.transactionId, 'voided')
  })
})

describeOnChain('a repeated request', () => {
  test('is told the end, beside the header that is of no use any more', async () => {
    const shop = await openShop()
    const [used, unused] = [shop.offer({ amount: '250000' }), shop.offer({ amount: '200000' })]
    const first = await shop.pay(used, 'used')
    const second = await shop.pay(unused, 'unused')
    await shop.facilitator.settleNow(first.body.payment?.headerValue ?? '')
    await becomes(shop, first.body.transactionId, 'settled')
    await shop.chain.mineAt(endOf(second.body.payment?.validBefore) + 1)
    await becomes(shop, second.body.transactionId, 'voided')

    const [paid, notPaid] = [await shop.pay(used, 'used'), await shop.pay(unused, 'unused')]
    expect(paid.body).toMatchObject({ status: 'settled', payment: first.body.payment })
    expect(paid.body.settlement).toMatchObject({ state: 'settled', verified: true })
    expect(notPaid.body).toMatchObject({ status: 'not_paid', payment: second.body.payment })
    expect(notPaid.body.hold?.state).toBe('released')
  })
})

describeOnChain('the chain', () => {
  test('is believed when somebody else has the payment settled', async () => {
    const shop = await openShop()
    const { body } = await shop.pay(shop.offer({ amount: '250000' }))
    const { transaction } = await shop.facilitator.settleNow(body.payment?.headerValue ?? '')
    await becomes(shop, body.transactionId, 'settled')
    expect((await shop.transaction(body.transactionId)).external?.['transaction']).toBe(transaction)
    expect(await shop.chain.balanceOf(PAYEE)).toBe(250_000n)
  })

  test('is believed when the authorization is canceled', async () => {
    const shop = await openShop()
    const account = createAccount()
    await shop.chain.mint(account.address, 1_000_000n)
    // A custodian that signs whatever it is sent.
    const signer = await startReceiver((response, { body }) => {
      const { typedData } = JSON.parse(body)
      void account
        .signTypedData(typedData)
        .then((signature) => response.end(JSON.stringify({ signature })))
    })
    onTestFinished(signer.close)
    const { id: walletId } = (
      await shop.acme.post('/wallets', {
        name: 'Custodian',
        address: account.address,
        signerUrl: signer.url,
      })
    ).body
    const { body } = await shop.pay({ ...shop.offer({}), walletId })
    expect(body.payment?.nonce).toBeDefined()
    await shop.chain.cancelAuthorization(account, body.payment?.nonce ?? '0x')
    await becomes(shop, body.transactionId, 'voided')
    expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 1 })
  })

  test('is waited for while its node is away', async () => {
    const node = await startSwitchableNode()
    const shop = await openShop({ config: { paths: pathsOn([toNetwork(node.url)]) } })
    node.forwardTo(shop.chain.url)
    const { body } = await shop.pay(shop.offer({}))
    await shop.facilitator.settleNow(body.payment?.headerValue ?? '')
    node.forwardTo(undefined)
    await lookedAgain(shop)
    expect((await shop.transaction(body.transactionId)).status).toBe('held')
    node.forwardTo(shop.chain.url)
    await becomes(shop, body.transactionId, 'settled')
  })

  test('is searched below the height that was seen before, which a reorganization may undo', async () => {
    const shop = await openShop()
    const snapshot = await shop.chain.request('evm_snapshot')
    for (let count = 0; count < 5; count += 1) await shop.chain.mine()
    const { body } = await shop.pay(shop.offer({}))
    await shop.chain.request('evm_revert', snapshot)
    await shop.facilitator.settleNow(body.payment?.headerValue ?? '')
    await becomes(shop, body.transactionId, 'settled')
    expect((await shop.transaction(body.transactionId)).external?.['settlement']).toBe('chain')
  })

  test('is searched in steps where its node allows short ranges only', async () => {
    const node = await startSwitchableNode({ rangeMax: 20 })
    const shop = await openShop({ config: { paths: pathsOn([toNetwork(node.url)]) } })
    node.forwardTo(shop.chain.url)
    const { body } = await shop.pay(shop.offer({}))
    for (let count = 0; count < 30; count += 1) await shop.chain.mine()
    await shop.facilitator.settleNow(body.payment?.headerValue ?? '')
    for (let count = 0; count < 30; count += 1) await shop.chain.mine()
    await becomes(shop, body.transactionId, 'settled')
  })

  test('that says used and does not show the transfer is believed once that is final', async () => {
    const node = await startSwitchableNode({ hasLogs: false })
    const shop = await openShop({ config: { paths: pathsOn([toNetwork(node.url)]) } })
    node.forwardTo(shop.chain.url)
    const { body } = await shop.pay(shop.offer({}))
    await shop.facilitator.settleNow(body.payment?.headerValue ?? '')
    await lookedAgain(shop)
    expect((await shop.transaction(body.transactionId)).status).toBe('held')
    await shop.chain.mineAt(endOf(body.payment?.validBefore))
    await becomes(shop, body.transactionId, 'settled')
    expect((await shop.transaction(body.transactionId)).external?.['settlement']).toBe('assumed')
  })

  test('must be the right one: a node of another chain would swear that nothing was spent', async () => {
    const node = await startSwitchableNode()
    const network = toNetwork(node.url, 'eip155:8453')
    const shop = await openShop({ config: { paths: pathsOn([network]) } })
    node.forwardTo(shop.chain.url)
    const usdcOnBase = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
    const extra = { name: 'USD Coin', version: '2' }
    const offer = shop.offer({ network: 'eip155:8453', asset: usdcOnBase, extra })
    const answer = await shop.pay(offer)
    expect([answer.status, answer.body.code]).toEqual([503, 'chain_unavailable'])
    expect(await shop.app.rows('select 1 from x402_payments')).toEqual([])
  })
})

function toNetwork(rpcUrl: string, network: string = NETWORK) {
  return { network, rpcUrl, finality: 'latest' } as const
}

interface NodeManners {
  /** How many blocks it searches at a time. */
  readonly rangeMax?: number
  readonly hasLogs?: boolean
}

/** A node that answers for another one, as far as its manners go, or not at all. */
async function startSwitchableNode({ rangeMax = Infinity, hasLogs = true }: NodeManners = {}) {
  let target: string | undefined
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (target === undefined) return void response.destroy()
      answer(target, Buffer.concat(parts).toString()).then(
        (text) => response.setHeader('content-type', 'application/json').end(text),
        () => response.destroy(),
      )
    })
  })

  async function answer(url: string, body: string): Promise<string> {
    const { id, method, params } = JSON.parse(body)
    if (method === 'eth_getLogs') {
      const [{ fromBlock, toBlock }] = params
      const error = { code: -32_602, message: 'The range is too long.' }
      if (toBlock - fromBlock >= rangeMax) return JSON.stringify({ jsonrpc: '2.0', id, error })
      if (!hasLogs) return JSON.stringify({ jsonrpc: '2.0', id, result: [] })
    }
    const headers = { 'content-type': 'application/json' }
    return (await fetch(url, { method: 'POST', headers, body })).text()
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    forwardTo: (url: string | undefined) => {
      target = url
    },
  }
}
