import { startMerchant } from '../../packages/server/test/support/acp/merchant.ts'
import { startPsp } from '../../packages/server/test/support/acp/psp.ts'
import { say, startGateway } from '../gateway.ts'
import { buy, NotBought } from './agent.ts'

/**
 * The whole example runs on this machine: a shop, its payment provider, the gateway, and an agent
 * with a budget of 100 dollars.
 */
const HOST = 'localhost'
const psp = await startPsp()
const shop = await startMerchant({ charge: psp.charge })
const shopUrl = shop.url.replace('127.0.0.1', HOST)
const gateway = await startGateway()
const { apiKey, call } = gateway
say(
  `A shop at ${shopUrl}, its payment provider at ${psp.url} and the gateway at ${gateway.url} are running.`,
)

async function show(agentId: string): Promise<void> {
  const sold = shop.orders.reduce((sum, { amountMinor }) => sum + amountMinor, 0) / 100
  await gateway.showBudget(agentId, `; the shop has sold for ${sold} USD`)
}

try {
  await call('PATCH', '/organization', {
    acp: {
      instruments: [
        {
          id: 'company-card',
          label: 'Company card',
          issuer: 'stripe',
          baseUrl: psp.url,
          paymentMethod: psp.paymentMethod,
          credential: psp.credential,
        },
      ],
    },
  })
  await call('POST', '/vendors', {
    host: HOST,
    category: 'office',
    acp: {
      apiBaseUrl: shopUrl,
      version: shop.version,
      credential: shop.credential,
      webhookSecret: shop.webhookSecret,
      merchantIds: [shop.merchantId],
      profileId: psp.profileId,
    },
  })
  say('The gateway knows a company card at the provider, and the shop with its merchant id.')
  const { id: agentId } = await call('POST', '/agents', { name: 'Office agent' })
  const rules = [{ type: 'vendors', allow: [HOST] }]
  const mandate = await call('POST', '/mandates', { agentId, budgetTotal: 100, rules })
  await call('POST', `/mandates/${mandate.id}/activate`)
  say('The agent may spend 100 USD, at this shop only. It has no card and no key of the shop.\n')

  /** Opens a checkout session in the shop; delivery costs 5 USD more. */
  const fill = (name: string, unitMinor: number): string =>
    shop.openCheckout({ lines: [{ itemId: name.toLowerCase(), name, quantity: 1, unitMinor }] })
  const risingSoon = fill('Toner', 4_000)
  shop.changeAfterLook(risingSoon, { deliveryMinor: 2_000 })
  const risingLate = fill('Toner', 4_000)
  shop.changeAtCompletion(risingLate, { deliveryMinor: 2_000 })
  const purchases = [
    ['a toner for 45 USD', fill('Toner', 4_000), ''],
    ['a printer for 320 USD', fill('Printer', 31_500), ''],
    [
      'a toner for 45 USD, and the shop raises the price to 60 USD while the token is made',
      risingSoon,
      'The gateway looked at the session once more before it paid, and saw 60 USD.',
    ],
    [
      'a toner for 45 USD, and the shop wants 60 USD once it has the token',
      risingLate,
      'The provider gave the shop nothing: the token was worth 45 USD and no more.',
    ],
  ] as const

  const purser = { url: gateway.url, apiKey, agentId }
  for (const [what, checkoutSessionId, why] of purchases) {
    say(`The agent wants ${what}:`)
    try {
      const key = `purchase-${checkoutSessionId}`
      const { amount, order } = await buy(purser, { vendor: HOST, checkoutSessionId, key })
      say(`  Bought for ${amount} USD: ${order?.id}, ${order?.permalinkUrl}`)
    } catch (error) {
      if (!(error instanceof NotBought)) throw error
      say(`  Not bought: ${error.message}`)
      if (why) say(`  ${why}`)
    }
    await show(agentId)
  }

  say('\nWhat the provider was asked for, and what the shop could take of it:')
  for (const { id, maxMinor, capturedMinor, isRevoked } of psp.tokens) {
    const end = isRevoked ? ', revoked' : ''
    say(`  ${id}: at most ${maxMinor / 100} USD, taken ${capturedMinor / 100} USD${end}`)
  }
  const { data } = await call('GET', `/transactions?agentId=${agentId}`)
  say('What the gateway has recorded, newest first:')
  for (const { amount, decision, status, external } of data) {
    const { failure, checkout } = external
    const end = decision === 'rejected' ? decision : `${decision}, then ${status}`
    const reason = failure ? ` (${failure.code})` : ''
    say(`  ${checkout.lineItems[0].name}, ${amount} USD: ${end}${reason}`)
  }

  if (process.argv.includes('--stay')) {
    const proof = fill('Paper', 1_500)
    shop.turnNext(proof, 'authentication')
    const sessions = `SESSION=${fill('Paper', 1_500)} DEAR=${fill('Printer', 31_500)} PROOF=${proof}`
    await gateway.stay(agentId, `VENDOR=${HOST} ${sessions}`)
  }
} finally {
  await gateway.stop()
  await shop.stop()
  await psp.stop()
}
