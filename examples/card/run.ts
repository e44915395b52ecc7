import { randomBytes } from 'node:crypto'
import { createStandInIssuer } from '../../packages/server/test/support/card/stand-in-issuer.ts'
import { say, startGateway } from '../gateway.ts'
import { MERCHANTS, purchase } from './purchases.ts'

/**
 * The whole example runs on this machine: the gateway, a card issuer, and an agent with a card and
 * 200 dollars.
 */
const gateway = await startGateway()
const { call } = gateway

/** A real issuer creates both secrets, and you paste them into the connection. */
function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

/**
 * The connection gives the URLs that the issuer calls; the secrets prove to us that the caller is
 * the issuer.
 */
async function connectIssuer(provider: 'stripe' | 'lithic') {
  const secrets = { authorization: newSecret(), events: newSecret() }
  const { id, ingest } = await call('POST', '/card-connections', {
    provider,
    name: `Example ${provider}`,
    secrets,
  })
  const issuer = createStandInIssuer(provider, {
    authorizationUrl: ingest.authorizationUrl,
    authorizationSecret: secrets.authorization,
    eventsUrl: ingest.eventsUrl,
    eventsSecret: secrets.events,
  })
  return { connectionId: id, issuer }
}

try {
  const { connectionId, issuer } = await connectIssuer('stripe')
  say(`The gateway is at ${gateway.url}, and an issuer that speaks as Stripe does is connected.`)
  const { id: agentId } = await call('POST', '/agents', { name: 'Shopping agent' })
  const rules = [{ type: 'amount', max: 120 }]
  const mandate = await call('POST', '/mandates', { agentId, budgetTotal: 200, rules })
  await call('POST', `/mandates/${mandate.id}/activate`)
  await call('POST', '/cards', { connectionId, externalId: 'ic_example', agentId, last4: '4242' })
  await call('POST', '/vendors', {
    host: 'saas.example.com',
    cardAliases: [{ merchantId: MERCHANTS.saas.id }],
  })
  say('The agent has the card ic_example and may spend 200 USD, at most 120 at once.\n')

  /** The agent shops; the issuer asks the gateway, and follows its answer. */
  async function shop(what: string, merchant: keyof typeof MERCHANTS, amount: number) {
    say(`The agent buys ${what}, for ${amount / 100} USD:`)
    const outcome = await issuer.authorize(purchase(merchant, amount))
    const { asked, isApproved } = outcome
    say(`  the issuer ${isApproved ? 'approved' : 'declined'} it after ${asked.durationMs} ms:`)
    say(`  ${asked.kind === 'answer' ? asked.body : asked.reason}`)
    await gateway.showBudget(agentId)
    return outcome.authorizationId
  }

  async function later(what: string, happened: Promise<unknown>): Promise<void> {
    await happened
    say(`${what}:`)
    await gateway.showBudget(agentId)
  }

  const software = await shop('software', 'saas', 49_00)
  await later('The merchant captures it', issuer.capture(software, 49_00))
  await shop('a machine, which is too much at once', 'shop', 150_00)
  await shop('chips in a casino, which no mandate allows by itself', 'casino', 20_00)
  const book = await shop('a book', 'shop', 30_00)
  await later('The merchant is out of stock and reverses it', issuer.reverse(book))
  const dinner = await shop('dinner', 'bistro', 40_00)
  await later('The guest leaves a tip, so more is captured', issuer.capture(dinner, 46_00))
  await later('The software is refunded in part', issuer.refund(software, 10_00))
  await later(
    'A garage takes 12 USD without asking anybody',
    issuer.forceCapture(purchase('garage', 12_00)),
  )

  say('\nWhat the gateway has on record:')
  const { data } = await call('GET', `/transactions?agentId=${agentId}`)
  for (const { amount, settledAmount, refundedAmount, ...rest } of data.toReversed()) {
    const { vendor, status, code, flags } = rest
    const marks = flags.length > 0 ? `, flags: ${flags.join(', ')}` : ''
    const moved = `settled ${settledAmount}, refunded ${refundedAmount}`
    say(`  ${amount} USD at ${vendor}: ${status} (${code}), ${moved}${marks}`)
  }
} finally {
  await gateway.stop()
}
