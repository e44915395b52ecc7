import { setTimeout as sleep } from 'node:timers/promises'
import { Purser } from '@purser/sdk'
import { say, startGateway } from '../gateway.ts'
import { createShopper } from './agent.ts'
import { type Choice, scriptedModel } from './scripted-model.ts'

/**
 * The whole example runs on this machine: the gateway, an agent of the AI SDK with a scripted model,
 * and a person who approves.
 */
const gateway = await startGateway()
const people = new Purser({ apiKey: gateway.apiKey, baseUrl: gateway.url })

const vendor = 'data.example.com'
const category = 'datasets'
const atlas = { purchaseId: 'atlas-2026', amount: 80, vendor, category }
const tides = {
  purchaseId: 'tides-2026',
  ...{ amount: 20, vendor, category },
  reason: 'The report needs tide tables.',
}

/** What the model does. Each step can look at the result of the one before. */
const script: readonly Choice[] = [
  () => ({ call: 'get_mandate', input: {} }),
  () => ({ call: 'authorize_spend', input: atlas }),
  () => ({ call: 'authorize_spend', input: tides }),
  () => ({ call: 'request_approval', input: tides }),
  ({ status }) =>
    status === 'approved'
      ? { call: 'authorize_spend', input: tides }
      : { say: 'The person did not approve, so I bought nothing.' },
  ({ transactionId }) => ({ call: 'place_order', input: { item: 'tides', transactionId } }),
  // A model that has lost its place tries again. The purchase is not made twice.
  () => ({ call: 'authorize_spend', input: tides }),
  () => ({ say: 'I bought the tide tables for 20 USD. The atlas is beyond the budget.' }),
]

/** A person watches the queue of requests, and approves the first one. */
async function approveFirst(): Promise<void> {
  for (;;) {
    const [request] = (await people.approvals.list({ status: 'pending' }).page()).data
    if (request) {
      const { id, amount, currency, vendor: shop, reason } = request
      say(`  (A person reads: ${amount} ${currency} at ${shop}. "${reason}" And approves.)`)
      await people.approvals.decide(id, { decision: 'approve', comment: 'Fine for the report.' })
      return
    }
    await sleep(100)
  }
}

try {
  say(`The gateway is at ${gateway.url}.`)
  const { id: agentId } = await people.agents.create({ name: 'Shopper' })
  const mandate = await people.mandates.create({
    agentId,
    budgetTotal: 50,
    rules: [
      { type: 'vendors', allow: [vendor] },
      { type: 'approval', above: 10 },
    ],
  })
  await people.mandates.activate(mandate.id)
  const { apiKey } = await people.apiKeys.create({ name: 'Shopper', agentIds: [agentId] })
  say(`The agent may spend 50 USD at ${vendor}. Above 10 USD, a person must approve.\n`)

  const purser = new Purser({ apiKey, baseUrl: gateway.url })
  const deliver = ({ item }: { item: string }) => `The shop delivers ${item}.`
  let person: Promise<void> | undefined
  const model = scriptedModel(script, (step) => {
    if (!('call' in step)) return
    say(`The model calls ${step.call} ${JSON.stringify(step.input)}`)
    if (step.call === 'request_approval') person = approveFirst()
  })
  const agent = createShopper(model, purser, deliver)
  const { text } = await agent.generate({
    prompt: 'Buy the atlas of 2026 and the tide tables of 2026.',
    onStepFinish({ toolResults }) {
      for (const { output } of toolResults) {
        const { summary, repeated } = output as { summary: string; repeated?: boolean }
        say(`  ${repeated ? '[repeated] ' : ''}${summary}`)
      }
    },
  })
  await person
  say(`\nThe agent says: ${text}\n`)
  await gateway.showBudget(agentId)
  say('The gateway has on record:')
  for await (const { amount, status, code } of people.transactions.list({ agentId })) {
    say(`  ${amount} USD ${status} (${code})`)
  }
} finally {
  await gateway.stop()
}
