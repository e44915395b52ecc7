import { commitTo } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOfDecision, logOf } from '../../src/core/audit/decision-leaf.ts'
import { isDecision, payloadOf, type Source } from '../../src/core/audit/source.ts'
import { toUuid } from '../../src/core/id.ts'
import { findDecisionFacts } from '../../src/storage/audit/sources.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { sourcesOf } from '../support/audit-log.ts'
import { aKey, anActiveMandate, anAgent } from '../support/builders.ts'
import { aSpend, evaluate, readTransaction } from '../support/spends.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

function sources({ organizationId }: Owner): Promise<Source[]> {
  return sourcesOf(app, organizationId)
}

async function payloadAgain({ organizationId }: Owner, source: Source): Promise<unknown> {
  const id = isDecision(source) ? source.id : ''
  const ids = isDecision(source) ? [id] : []
  const decisions = await findDecisionFacts(app.database.db, organizationId, ids)
  return payloadOf(source, decisions.get(id))
}

describe('a receipt', () => {
  test('names the log and the leaf that the stored row commits to', async () => {
    const { agentId } = await anActiveMandate(acme)
    const noted = { reference: 'PO 7', reason: 'Näher\n"quoted"', metadata: { run: 'ä\\', a: '1' } }
    const { evaluationDetails, transactionId } = await evaluate(acme, agentId, noted)
    const { log = '', leaf = '', salt } = evaluationDetails.receipt ?? {}
    expect(log).toBe(logOf(acme.organizationId))
    const id = toUuid('txn', transactionId) ?? ''
    const source = (await sources(acme)).find((each) => isDecision(each) && each.id === id)
    expect(source?.salt?.toString('hex')).toBe(salt)
    const payload = source && (await payloadAgain(acme, source))
    expect(payload).toMatchObject({ amountMicros: '10000000', vendor: 'api.openai.com', ...noted })
    const commitment = commitTo(payload, Buffer.from(salt ?? '', 'hex'), sha256) ?? ''
    expect(source?.commitment?.toString('hex')).toBe(commitment)
    const at = evaluationDetails.evaluatedAt
    const told = { transactionId: id, agentId, decision: 'approved', at, commitment }
    expect(hashOfDecision(told)).toBe(leaf)
  })

  test('is the same in a repeat and in the record', async () => {
    const { agentId } = await anActiveMandate(acme)
    const key = { 'idempotency-key': 'the same receipt' }
    const ask = () => acme.post('/gateway/evaluate', aSpend(agentId), key)
    const [first, again] = [await ask(), await ask()]
    expect(again.body).toEqual(first.body)
    const { transactionId, evaluationDetails } = JSON.parse(JSON.stringify(first.body))
    const stored = await readTransaction(acme, transactionId)
    expect(stored.evaluationDetails).toMatchObject({ receipt: evaluationDetails.receipt })
    expect(evaluationDetails.receipt.leaf).toMatch(/^[0-9a-f]{64}$/)
  })

  test('is another one for the same spend', async () => {
    const { agentId } = await anActiveMandate(acme)
    const [a, b] = [await evaluate(acme, agentId), await evaluate(acme, agentId)]
    expect(a.evaluationDetails.receipt?.salt).not.toBe(b.evaluationDetails.receipt?.salt)
  })

  test('has no salt for an agent from whom a part of the decision is hidden', async () => {
    const above = await anActiveMandate(acme, { rules: [{ type: 'amount', max: 5 }] })
    const agent = await anAgent(acme)
    const fields = { agentId: agent.id, parentMandateId: above.id, budgetTotal: 10 }
    await anActiveMandate(acme, fields)
    const { client } = await aKey(app, acme, { agentIds: [agent.id] })
    const { evaluationDetails, transactionId } = await evaluate(client, agent.id, { amount: 7 })
    const whole = await readTransaction(acme, transactionId)
    const salt = expect.stringMatching(/^[0-9a-f]{32}$/)
    const { receipt } = evaluationDetails
    expect(receipt).toMatchObject({ salt: null })
    expect(whole.evaluationDetails).toMatchObject({ receipt: { ...receipt, salt } })
  })
})

describe('what a leaf commits to', () => {
  test('can be made again of every row, whatever became of it since', async () => {
    const globex = await app.organization()
    await globex.patch('/organization', {
      webhookEvents: ['transaction.settled', 'transaction.refunded', 'mandate.budget.exhausted'],
    })
    const { agentId } = await anActiveMandate(globex, { budgetTotal: 10 })
    const held = await evaluate(globex, agentId, { amount: 6, hold: { expiresIn: '1h' } })
    await globex.post(`/transactions/${held.transactionId}/settle`, { amount: 5 })
    await globex.post(`/transactions/${held.transactionId}/refund`, { amount: 2 })
    await evaluate(globex, agentId, { amount: 7 })
    await evaluate(globex, agentId, { amount: 50 })
    const all = await sources(globex)
    const kinds = all.map((source) => (source.type === 'event' ? source.kind : source.operation))
    expect(kinds).toEqual(
      expect.arrayContaining(['mandate.budget.exhausted', 'transaction.refunded', 'agent.created']),
    )
    for (const source of all) {
      const payload = await payloadAgain(globex, source)
      const salt = source.salt ?? Buffer.alloc(0)
      expect(commitTo(payload, salt, sha256)).toBe(source.commitment?.toString('hex'))
    }
  })
})
