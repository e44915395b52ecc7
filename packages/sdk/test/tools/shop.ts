import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import { Purser } from '../../src/index.ts'
import { TOOLS, type ToolContext, type ToolResult } from '../../src/tools/index.ts'

type Rules = Parameters<Purser['mandates']['create']>[0]['rules']

/** An agent with a mandate and a key of its own. */
export interface Buyer {
  readonly agentId: string
  readonly mandateId: string
  /** A client with the key of the agent. */
  readonly purser: Purser
  readonly apiKey: string
  /** Runs a tool with the key of the agent. */
  call(name: string, input: object, context?: ToolContext): Promise<ToolResult>
  /** How much of the budget is used. */
  spent(): Promise<number>
}

/** A gateway on loopback, with clients for people and for agents. */
export interface Shop {
  readonly app: TestApp
  readonly owner: Owner
  readonly baseUrl: string
  /** A client with the first key of the organization, which has every scope. */
  readonly people: Purser
  /** A client with a key that may decide approvals, and did not send the spends. */
  approver(): Promise<Purser>
  buyer(budgetTotal: number, rules?: Rules): Promise<Buyer>
  stop(): Promise<void>
}

export async function openToolShop(
  created: TestApp | undefined = undefined,
  acme: Owner | undefined = undefined,
): Promise<Shop> {
  const app = created ?? (await createTestApp())
  const owner = acme ?? (await app.organization())
  const baseUrl = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const people = new Purser({ apiKey: owner.apiKey, baseUrl })
  return {
    ...{ app, owner, baseUrl, people },
    async approver() {
      const { apiKey } = await people.apiKeys.create({
        name: 'Approver',
        scopes: ['approvals:read', 'approvals:write'],
      })
      return new Purser({ apiKey, baseUrl })
    },
    async buyer(budgetTotal, rules = []) {
      const { id: agentId } = await people.agents.create({ name: 'Buyer' })
      const draft = await people.mandates.create({ agentId, budgetTotal, rules })
      await people.mandates.activate(draft.id)
      const { apiKey } = await people.apiKeys.create({ name: 'Buyer', agentIds: [agentId] })
      const purser = new Purser({ apiKey, baseUrl })
      return {
        ...{ agentId, mandateId: draft.id, purser, apiKey },
        call: (name, input, context) => runTool(purser, name, input, context),
        spent: async () => (await people.mandates.get(draft.id)).budgetSpent,
      }
    },
    stop: () => app.stop(),
  }
}

export function runTool(
  purser: Purser,
  name: string,
  input: object,
  context?: ToolContext,
): Promise<ToolResult> {
  const tool = TOOLS.find((it) => it.name === name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  return tool.run(purser, input, context)
}
