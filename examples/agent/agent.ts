import type { Purser } from '@purser/sdk'
import { aiTools } from '@purser/sdk/ai'
import { INSTRUCTIONS } from '@purser/sdk/tools'
import { jsonSchema, type LanguageModel, stepCountIs, ToolLoopAgent, tool } from 'ai'

interface Order {
  readonly item: string
  readonly transactionId: string
}

/** An agent of the AI SDK. Give it a model of a provider, and it shops in the same way. */
export function createShopper(
  model: LanguageModel,
  purser: Purser,
  deliver: (order: Order) => string,
) {
  return new ToolLoopAgent({
    model,
    instructions: `You buy datasets for a research team.\n${INSTRUCTIONS}`,
    tools: {
      ...aiTools(purser),
      // The shop is a function here. A real one would take a card or an invoice.
      place_order: tool({
        description: 'Order and pay a dataset, once its spend is approved.',
        inputSchema: jsonSchema<Order>({
          type: 'object',
          properties: { item: { type: 'string' }, transactionId: { type: 'string' } },
          required: ['item', 'transactionId'],
        }),
        execute: async (order) => ({ summary: deliver(order) }),
      }),
    },
    stopWhen: stepCountIs(12),
  })
}
