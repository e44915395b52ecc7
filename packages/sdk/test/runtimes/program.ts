import { NotFoundError, Purser, PurserError, SpendRejectedError } from '@purser/sdk'
import { TOOLS } from '@purser/sdk/tools'
import { verifyInclusion } from '@purser/sdk/verify'
import { verifyWebhook } from '@purser/sdk/webhooks'
import { createPurserScheme } from '@purser/sdk/x402'

/*
 * A small program of a user. `.ci/sdk-smoke` compiles it against the packed types and runs it with
 * Node, Bun and Deno. Key and address come from the environment. It throws if an answer is wrong.
 */

/** The agent and its budget are new, so that each run begins with the same state. */
async function anAgent(purser: Purser): Promise<string> {
  const agent = await purser.agents.create({ name: 'Smoke' })
  const draft = await purser.mandates.create({ agentId: agent.id, name: 'All', budgetTotal: 10 })
  await purser.mandates.activate(draft.id)
  return agent.id
}

async function spendAndRead(purser: Purser): Promise<void> {
  const agentId = await anAgent(purser)
  const spend = { agentId, vendor: 'api.example.com', category: 'llm' }
  const { transactionId } = await purser.gateway.evaluate({ ...spend, amount: 4 }).orThrow()
  const rejected = await purser.gateway
    .evaluate({ ...spend, amount: 7 })
    .orThrow()
    .catch((error: unknown) => error)
  demand(rejected instanceof SpendRejectedError, 'a spend over the budget is rejected')

  const decisions: (string | null)[] = []
  for await (const { decision } of purser.transactions.list({ agentId, limit: 1 })) {
    decisions.push(decision)
  }
  demand(decisions.join() === 'rejected,approved', 'the list has two pages')

  for await (const event of purser.events.stream({ after: 'oldest' })) {
    if (event.event !== 'transaction.approved') continue
    if (event.data.transactionId === transactionId) break
  }
}

async function fail(purser: Purser): Promise<void> {
  const unknownId = '00000000-0000-4000-8000-000000000000'
  const missing = await purser.agents.get(unknownId).catch((error: unknown) => error)
  demand(missing instanceof NotFoundError, 'the error has the class of its kind')
  demand(missing.code === 'agent_not_found' && missing.requestId !== null, 'the error has facts')

  // No service has port 2, and `fetch` does not refuse it as it does its neighbours.
  const nowhere = new Purser({ apiKey: 'sk_test', baseUrl: 'http://127.0.0.1:2', retries: 0 })
  const error = await nowhere.agents.create({ name: 'x' }).catch((it: unknown) => it)
  demand(PurserError.is(error) && error.code === 'network_error', 'nothing listens there')
  demand(!error.outcomeUnknown, 'the client knows that the request never left')
}

async function verify(): Promise<void> {
  const body = JSON.stringify({
    event: 'mandate.budget.warning',
    timestamp: new Date().toISOString(),
    data: { mandateId: 'mnd_1', agentId: 'a', budgetTotal: 100, budgetSpent: 80, percentUsed: 80 },
  })
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const at = Math.floor(Date.now() / 1_000)
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['sign'])
  const signed = new TextEncoder().encode(`evt_1.${at}.${body}`)
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${toBase64(signature)}`,
  }
  const event = await verifyWebhook(body, headers, `whsec_${toBase64(bytes)}`)
  demand(event.event === 'mandate.budget.warning', 'the webhook is verified')
  const forged = await verifyWebhook(`${body} `, headers, `whsec_${toBase64(bytes)}`).catch(String)
  demand(typeof forged === 'string', 'a changed webhook is refused')
}

/** Uses one part of each of the other entries. */
async function useEntries(purser: Purser): Promise<void> {
  const checkSpend = TOOLS.find(({ name }) => name === 'check_spend')
  const spend = { amount: 4, vendor: 'api.example.com', category: 'llm' }
  const result = await checkSpend?.run(purser, { ...spend, agentId: await anAgent(purser) })
  demand(result?.['decision'] === 'approved', 'a tool asks the gateway')

  const { scheme } = createPurserScheme(purser, { maxAmount: 0.05 })
  demand(scheme.scheme === 'exact', 'the scheme pays exact prices')

  const receipt = { log: 'purser/audit/org_1', leaf: '00'.repeat(32) }
  const proof = { checkpoint: '', inclusion: { index: 0, leaf: receipt.leaf, hashes: [] } }
  const error = await verifyInclusion(receipt, proof, 'no key').catch((it: unknown) => it)
  demand(PurserError.is(error) && error.code === 'keys_invalid', 'a wrong key proves nothing')
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

function demand(isTrue: boolean, promise: string): asserts isTrue {
  if (!isTrue) throw new Error(`This is not so: ${promise}.`)
}

const purser = new Purser()
await spendAndRead(purser)
await fail(purser)
await verify()
await useEntries(purser)
console.log('passed')
