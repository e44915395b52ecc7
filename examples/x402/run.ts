import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../packages/server/src/config.ts'
import { startServer } from '../../packages/server/src/server.ts'
import { createOrganization, openStorage } from '../../packages/server/src/setup.ts'
import { FIRST_SPEND } from '../../packages/server/src/welcome.ts'
import { silentLog } from '../../packages/server/test/support/silent-log.ts'
import {
  createAccount,
  NETWORK,
  startChain,
} from '../../packages/server/test/support/x402/chain.ts'
import { startFacilitator } from '../../packages/server/test/support/x402/facilitator.ts'
import { buy, NotPaid } from './agent.ts'
import { startPaidApi } from './paid-api.ts'

/** The whole story on this machine: a chain, a vendor, the gateway, and an agent with a budget of half a dollar. */
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const folder = await mkdtemp(join(tmpdir(), 'purser-example-'))
const chain = await startChain()
const facilitator = await startFacilitator(chain)
const vendor = createAccount().address
const api = await startPaidApi(facilitator.url, vendor)
const config = readConfig({
  PURSER_DATA_DIR: folder,
  PURSER_PORT: '0',
  PURSER_LOG_LEVEL: 'error',
  PURSER_X402_NETWORKS: `${NETWORK}=${chain.url}`,
  PURSER_X402_FINALITY: 'latest',
})
const storage = await openStorage(config, silentLog)
const { apiKey } = await createOrganization(storage, config, 'Example')
await storage.db.close()
const gateway = await startServer(config)
say(`A local chain, a paid API at ${api.url} and the gateway at ${gateway.url} are running.`)

/** The OpenAPI document describes the answers; here they are only shown. */
// biome-ignore lint/suspicious/noExplicitAny: an example is no place for the types of the whole API.
async function call(method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return answer.json()
}

async function show(agentId: string): Promise<void> {
  const { mandate } = await call('GET', `/agents/${agentId}?include=mandate`)
  const { budgetSpent, budgetHeld, remainingBudget } = mandate
  const moved = Number(await chain.balanceOf(vendor)) / 1e6
  say(
    `  budget: spent ${budgetSpent} (of it held ${budgetHeld}), left ${remainingBudget}; the vendor has ${moved} USDC`,
  )
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
    say('\nAll of it stays until Ctrl-C. To try more, paste this into another terminal:\n')
    say(`export KEY=${apiKey} API=${gateway.url}/api/v1 AGENT=${agentId} VENDOR=${api.url}`)
    say(`${FIRST_SPEND.slice(0, 2).join('\n')}\n`)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  }
} finally {
  await gateway.stop()
  api.stop()
  await facilitator.stop()
  await chain.stop()
  await rm(folder, { recursive: true, force: true })
}
