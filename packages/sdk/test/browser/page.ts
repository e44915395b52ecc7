import {
  NotFoundError,
  Purser,
  PurserError,
  SpendRejectedError,
  ValidationError,
} from '@purser/sdk'
import { verifyReceipt } from '@purser/sdk/verify'
import { verifyWebhook } from '@purser/sdk/webhooks'

/*
 * The script of the test's page: esbuild bundles it, and Chromium runs it. The test calls its
 * functions, which return plain data, because an error's class does not leave the browser.
 */

export interface PageFunctions {
  spendWithKey: typeof spendWithKey
  failWithKey: typeof failWithKey
  readWithSession: typeof readWithSession
  changeWithSession: typeof changeWithSession
  verify: typeof verify
  prove: typeof prove
}

/** The compiler reads this file with the types of Node, which has no pages. */
const { location } = globalThis as unknown as { location: { origin: string } }

async function spendWithKey(apiKey: string) {
  const purser = new Purser({ apiKey, baseUrl: location.origin })
  const agent = await purser.agents.create({ name: 'Browser' })
  const draft = await purser.mandates.create({ agentId: agent.id, name: 'All', budgetTotal: 10 })
  const mandate = await purser.mandates.activate(draft.id)
  const spend = { agentId: agent.id, vendor: 'api.example.com', category: 'llm' }
  const { data: approved, requestId } = await purser.gateway
    .evaluate({ ...spend, amount: 4 })
    .withResponse()
  const second = await purser.gateway.evaluate({ ...spend, amount: 3 })
  const listed: string[] = []
  for await (const it of purser.transactions.list({ limit: 1 })) listed.push(it.transactionId)
  const exported: string[] = []
  for await (const it of purser.transactions.export()) exported.push(it.transactionId)
  return {
    status: mandate.status,
    requestId,
    spends: [approved.transactionId, second.transactionId],
    decisions: [approved.decision, second.decision],
    listed,
    exported,
    streamed: await streamApprovals(purser, 2),
  }
}

async function streamApprovals(purser: Purser, count: number): Promise<string[]> {
  const ids: string[] = []
  for await (const event of purser.events.stream({ after: 'oldest' })) {
    if (event.event === 'transaction.approved') ids.push(event.data.transactionId)
    if (ids.length === count) break
  }
  return ids
}

async function failWithKey(apiKey: string) {
  const { fetch } = globalThis
  const purser = new Purser({ apiKey, baseUrl: `${location.origin}/api/v1/`, fetch })
  const agent = await purser.agents.create({ name: 'Without a mandate' })
  const spend = { agentId: agent.id, vendor: 'api.example.com', category: 'llm' }
  const errors = await Promise.all([
    purser.agents.get('00000000-0000-4000-8000-000000000000').catch(asIs),
    purser.agents.create({ name: '' }).catch(asIs),
    purser.gateway
      .evaluate({ ...spend, amount: 1 })
      .orThrow()
      .catch(asIs),
  ])
  const classes = [NotFoundError, ValidationError, SpendRejectedError] as const
  return errors.map((error, n) => ({
    isOfItsClass: error instanceof (classes[n] ?? PurserError),
    code: PurserError.is(error) ? error.code : String(error),
  }))
}

async function readWithSession() {
  const purser = new Purser({ apiKey: null })
  const { name } = await purser.organization.get()
  return name
}

async function changeWithSession() {
  const purser = new Purser({ apiKey: null })
  return (await purser.agents.create({ name: 'By a member' })).name
}

async function verify(body: string, headers: Record<string, string>, secret: string) {
  const { event } = await verifyWebhook(body, headers, secret)
  const wrong = await verifyWebhook(`${body} `, headers, secret).catch(asIs)
  return { event, refusal: PurserError.is(wrong) ? wrong.code : String(wrong) }
}

/** Verifies the receipt of a sealed decision, and of the same decision with a different amount. */
async function prove(apiKey: string, transactionId: string) {
  const purser = new Purser({ apiKey, baseUrl: location.origin })
  const decision = await purser.transactions.get(transactionId)
  const { leaf } = decision.evaluationDetails?.receipt ?? {}
  const proof = await purser.auditLog.proof({ leaf })
  const { status } = await verifyReceipt(decision, proof, proof.keys)
  const changed = { ...decision, amount: decision.amount + 1 }
  const wrong = await verifyReceipt(changed, proof, proof.keys).catch(asIs)
  return { status, refusal: PurserError.is(wrong) ? wrong.code : String(wrong) }
}

const asIs = (error: unknown) => error

Object.assign(globalThis, {
  ...{ spendWithKey, failWithKey, readWithSession, changeWithSession, verify, prove },
})
