import { expect, test } from 'vitest'
import { withSettings } from '../../../src/paths/path.ts'
import { x402Path } from '../../../src/paths/x402/path.ts'
import { NETWORK } from '../../support/x402/chain.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { openShop, PAYEE, type Shop } from '../../support/x402/shop.ts'

function examine({ app, chain }: Shop, rpcUrl: string | undefined = chain.url) {
  const path = withSettings(x402Path, {
    networks: [{ network: NETWORK, rpcUrl, finality: 'latest' }],
  })
  return path.examine(app.database.db)
}

async function settled(shop: Shop): Promise<string> {
  const { body } = await shop.pay(shop.offer({ amount: '400000' }))
  await shop.facilitator.settleNow(body.payment?.headerValue ?? '')
  return body.transactionId
}

describeOnChain('transfers of wallets', () => {
  test('are known by their payment, and listed once the store has lost it', async () => {
    const shop = await openShop()
    const id = await settled(shop)
    expect(await examine(shop)).toMatchObject({ status: 'ok' })
    await shop.becomes(id, 'settled')
    expect(await examine(shop)).toMatchObject({ status: 'ok' })

    // As in a store that was put back from the time before the payment.
    await shop.app.rows('delete from x402_payments')
    const [transfer] = await shop.chain.transfers()
    const found = await examine(shop)
    expect(found).toMatchObject({ status: 'warn' })
    expect(found?.text).toContain(
      `1 transfer of wallets belongs to no payment here: 0.4 USDC from ${shop.wallet.toLowerCase()} to ${PAYEE} in ${transfer?.transaction} (${NETWORK}).`,
    )
    expect(found?.action).toContain('lower the budgets')
  })

  test('are not compared if the node is missing or does not answer', async () => {
    const shop = await openShop()
    expect(await examine({ ...shop, chain: { ...shop.chain, url: 'http://127.0.0.1:9' } })).toEqual(
      {
        status: 'warn',
        text: expect.stringMatching(
          /could not be compared with payments: The node of .* did not answer/,
        ),
        action: 'Check the nodes in PURSER_X402_NETWORKS.',
      },
    )
  })
})

test('nothing is compared without a network', async () => {
  const path = withSettings(x402Path, { networks: [] })
  expect(
    await path.examine({ query: () => Promise.reject(new Error('not reached')) }),
  ).toBeUndefined()
})
