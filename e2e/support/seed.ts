import type { AnswerBody } from '../../packages/server/test/support/answer-body.ts'
import type { Client } from '../../packages/server/test/support/app.ts'
import { anActiveMandate, anAgent } from '../../packages/server/test/support/builders.ts'
import { evaluate } from '../../packages/server/test/support/spends.ts'

export const RULES = [
  { id: 'per-spend', type: 'amount', max: 50 },
  { id: 'places', type: 'vendors', allow: ['api.openai.com', 'api.exa.ai', 'snowflake.com'] },
]

/** A person must approve spends above 20. */
export const ASKING = [...RULES, { id: 'ask', type: 'approval', above: 20 }]

export interface Traveller {
  readonly agent: AnswerBody
  readonly mandate: AnswerBody
}

/** An agent with an active mandate of 100 a month and a few rules. */
export async function aTraveller(
  client: Client,
  { name = 'Research agent', rules = RULES }: { name?: string; rules?: readonly object[] } = {},
): Promise<Traveller> {
  const agent = await anAgent(client, { name })
  const fields = { agentId: agent.id, name: `${name} mandate`, budgetPeriod: 'monthly', rules }
  return { agent, mandate: await anActiveMandate(client, fields) }
}

/** Sends spends, one after the other, and returns the ids of their transactions. */
export async function spend(
  client: Client,
  agentId: string,
  ...spends: readonly (readonly [amount: number, vendor?: string])[]
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const [amount, vendor = 'api.openai.com'] of spends) {
    const { transactionId } = await evaluate(client, agentId, { amount, vendor, category: 'llm' })
    ids.push(transactionId)
  }
  return ids
}
