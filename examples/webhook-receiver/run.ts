import { setTimeout } from 'node:timers/promises'
import { Purser } from '@purser/sdk'
import type { WebhookEvent } from '@purser/sdk/webhooks'
import { say, startGateway } from '../gateway.ts'
import { startReceiver } from './receiver.ts'

/** The whole example runs on this machine: a gateway, an agent that spends, and a receiver. */
const gateway = await startGateway()
const purser = new Purser({ apiKey: gateway.apiKey, baseUrl: gateway.url })

let received = 0

function show(event: WebhookEvent): void {
  say(`  ${event.event}: ${describe(event)}`)
  received += 1
}

/** The type of `data` follows from `event.event`. */
function describe(event: WebhookEvent): string {
  switch (event.event) {
    case 'transaction.approved':
      return `${event.data.amount} at ${event.data.vendor}`
    case 'transaction.rejected':
      return `${event.data.amount} at ${event.data.vendor}. ${event.data.reason}`
    case 'mandate.budget.warning':
    case 'mandate.budget.exhausted':
      return `${event.data.percentUsed} % of the budget is used`
    default:
      return event.id
  }
}

try {
  // The secret is shown once. A real program keeps it with its other secrets.
  const { webhookSecret } = await purser.organization.rotateWebhookSecret()
  const { url, server } = await startReceiver(webhookSecret, show)
  await purser.organization.update({ webhookUrl: url })
  say(`The gateway is at ${gateway.url}, and sends events to ${url}.`)

  const { id: agentId } = await purser.agents.create({ name: 'Research agent' })
  const draft = await purser.mandates.create({ agentId, name: 'Research', budgetTotal: 100 })
  await purser.mandates.activate(draft.id)
  const spend = { agentId, vendor: 'api.openai.com', category: 'llm' }
  say('The agent spends 50, then 35, and asks for 40 more:')
  for (const amount of [50, 35, 40]) await purser.gateway.evaluate({ ...spend, amount })
  while (received < 4) await setTimeout(50)

  const forged = await fetch(url, { method: 'POST', body: '{"event": "transaction.approved"}' })
  say(`A request without a signature gets ${forged.status}.`)
  server.close()
} finally {
  await gateway.stop()
}
