import { setTimeout as sleep } from 'node:timers/promises'
import {
  createAccount,
  NETWORK,
  startChain,
} from '../../packages/server/test/support/x402/chain.ts'
import { startFacilitator } from '../../packages/server/test/support/x402/facilitator.ts'
import { say, startGateway } from '../gateway.ts'
import { buy, NotPaid } from './agent.ts'
import { startPaidApi } from './paid-api.ts'

/**
 * The whole example runs on this machine: a chain, a vendor, the gateway, and an agent with a
 * budget of half a dollar.
 */
const chain = await startChain()
const facilitator = await startFacilitator(chain)
const vendor = createAccount().address
const api = await startPaidApi(facilitator.url, vendor)
const gateway = await startGateway({
  PURSER_X402_NETWORKS: `${NETWORK}=${chain.url}`,
  PURSER_X402_FINALITY: 'latest',
})
const { apiKey, call } = gateway
say(`A local chain, a paid API at ${api.url} and the gateway at ${gateway.url} are running.`)

async function show(agentId: string): Promise<void> {
  const moved = Number(await chain.balanceOf(vendor)) / 1e6
  await gateway.showBudget(agentId, `; the vendor has ${moved} USDC`)
}

try {
  const wallet = await call('POST', '/wallets', { name: 'Example' })
  await chain.mint(wallet.address, 1_000_000n)
  say(`The gateway made the wallet ${wallet.address}, and it was given 1 USDC.`)
  const { id: agentId } = await call('POST', '/agents', { name: 'Weather agent' })
  const rules = [{ type: 'vendors', allow: ['localhost'] }]
  const mandate = await call('POST', '/mandates', { agentId, budgetTotal: 0.5, rules })
  await call('POST', `/mandates/${mandate.id}/activate`)
  await call('POST', '/vendors', {
    host: 'localhost',
    x402Payees: [{ network: NETWORK, address: vendor }],
  })
  say('The agent may spend 0.5 USD, at this vendor only, whose payee is in the directory.\n')

  const purser = { url: gateway.url, apiKey, agentId }
  for (const [index, path] of ['/weather', '/forecast', '/forecast'].entries()) {
    say(`The agent buys ${path}:`)
    try {
      say(
        `  ${JSON.stringify(await buy(purser, { url: `${api.url}${path}`, key: `purchase-${index}`, maxAmount: 1 }))}`,
      )
    } catch (error) {
      if (!(error instanceof NotPaid)) throw error
      say(`  Not paid: ${error.message}`)
    }
    await show(agentId)
  }

  say('\nThe gateway watches the chain until it has seen every transfer:')
  for (;;) {
    const { data } = await call('GET', `/transactions?agentId=${agentId}&status=held`)
    if (data.length === 0) break
    await sleep(500)
  }
  await show(agentId)
  const { data } = await call('GET', `/transactions?agentId=${agentId}`)
  for (const { amount, status, code, external } of data) {
    say(`  ${amount} USD ${status} (${code})${external ? ` ${external.transaction}` : ''}`)
  }

  if (process.argv.includes('--stay')) {
    await gateway.stay(agentId, `VENDOR=${api.url}`, 2)
  }
} finally {
  await gateway.stop()
  api.stop()
  await facilitator.stop()
  await chain.stop()
}
