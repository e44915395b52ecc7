import { expect, onTestFinished, test } from 'vitest'
import { type Client, createTestApp } from '../../support/app.ts'
import { aKey, anActiveMandate } from '../../support/builders.ts'
import { aHold } from '../../support/spends.ts'

const AGENT_SCOPES = ['gateway:write', 'transactions:write']

test.each([
  ['settle', 'proof'],
  ['void', 'reason'],
] as const)('a hold that waits for no proof does not %s with a %s', async (action, field) => {
  const app = await createTestApp()
  onTestFinished(app.stop)
  const acme = await app.organization()
  const { agentId } = await anActiveMandate(acme)
  const { transactionId } = await aHold(acme, agentId, 10)
  const { client } = await aKey(app, acme, { agentIds: [agentId], scopes: AGENT_SCOPES })
  const ask = (who: Client) =>
    who.post(`/transactions/${transactionId}/${action}`, { [field]: 'As agreed' })
  const message = `omit \`${field}\``
  expect(await ask(acme)).toMatchObject({
    status: 409,
    body: { code: 'transaction_state', detail: expect.stringContaining(message) },
  })
  expect(await ask(client)).toMatchObject({ status: 403, body: { code: 'agent_bound_key' } })
})
