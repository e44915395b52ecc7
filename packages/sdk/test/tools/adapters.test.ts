import {
  Agent,
  type Model,
  type ModelResponse,
  run,
  setTracingDisabled,
  Usage,
} from '@openai/agents'
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aiTools } from '../../src/tools/adapters/ai.ts'
import { langchainTools } from '../../src/tools/adapters/langchain.ts'
import { openaiAgentsTools } from '../../src/tools/adapters/openai-agents.ts'
import { INSTRUCTIONS, TOOLS } from '../../src/tools/index.ts'
import { openToolShop, type Shop } from './shop.ts'

const NAMES = TOOLS.map(({ name }) => name)
const INK = { purchaseId: 'ink', amount: 4, vendor: 'ink.example.com', category: 'office' }

describe('the adapters, with the real packages', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openToolShop()
  })
  afterAll(() => shop?.stop())

  test('AI SDK: a model calls a tool and reads its result', async () => {
    const buyer = await shop.buyer(10)
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    }
    const model = new MockLanguageModelV3({
      doGenerate: [
        {
          content: [
            {
              type: 'tool-call',
              toolCallId: 'call-1',
              toolName: 'authorize_spend',
              input: JSON.stringify(INK),
            },
            {
              type: 'tool-call',
              toolCallId: 'call-2',
              toolName: 'authorize_spend',
              input: '{"amount":"4"}',
            },
          ],
          finishReason: { unified: 'tool-calls', raw: undefined },
          usage,
          warnings: [],
        },
        {
          content: [{ type: 'text', text: 'Bought.' }],
          finishReason: { unified: 'stop', raw: undefined },
          usage,
          warnings: [],
        },
      ],
    })
    const { text, steps } = await generateText({
      model,
      system: INSTRUCTIONS,
      prompt: 'Buy ink.',
      tools: aiTools(buyer.purser),
      stopWhen: stepCountIs(3),
    })
    expect(text).toBe('Bought.')
    expect(steps[0]?.toolResults.map(({ output }) => output)).toMatchObject([
      { decision: 'approved', repeated: false },
      { isError: true, code: 'invalid_arguments' },
    ])
    const [first, second] = model.doGenerateCalls
    expect(first?.tools?.map(({ name }) => name)).toEqual(NAMES)
    expect(first?.tools?.[0]).toMatchObject({ inputSchema: { type: 'object' } })
    expect(JSON.stringify(second?.prompt)).toContain('Approved, and the amount is taken')
    expect(await buyer.spent()).toBe(4)
  })

  test('LangChain: a tool call becomes a tool message', async () => {
    const buyer = await shop.buyer(10)
    const tools = langchainTools(buyer.purser)
    expect(tools.map(({ name }) => name)).toEqual(NAMES)
    const authorize = tools.find(({ name }) => name === 'authorize_spend')
    const call = (args: object) =>
      authorize?.invoke({ type: 'tool_call', id: 'call-1', name: 'authorize_spend', args })
    const message = await call(INK)
    expect(JSON.parse(message.content)).toMatchObject({ decision: 'approved', repeated: false })
    expect(message.tool_call_id).toBe('call-1')
    await expect(call({ ...INK, amount: '4' })).rejects.toThrow(/amount/)
    expect(await buyer.spent()).toBe(4)
  })

  test('OpenAI Agents: an agent calls a tool and reads its result', async () => {
    setTracingDisabled(true)
    const buyer = await shop.buyer(10)
    const seen: Parameters<Model['getResponse']>[0][] = []
    const answers: ModelResponse['output'][] = [
      [
        {
          type: 'function_call',
          callId: 'call-1',
          name: 'authorize_spend',
          arguments: JSON.stringify(INK),
          status: 'completed',
        },
      ],
      [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Bought.' }],
        },
      ],
    ]
    const model: Model = {
      async getResponse(request) {
        seen.push(request)
        return { usage: new Usage(), output: answers[seen.length - 1] ?? [] }
      },
      getStreamedResponse() {
        throw new Error('The test does not stream.')
      },
    }
    const tools = openaiAgentsTools(buyer.purser)
    const agent = new Agent({ name: 'Buyer', instructions: INSTRUCTIONS, model, tools })
    const { finalOutput } = await run(agent, 'Buy ink.')
    expect(finalOutput).toBe('Bought.')
    expect(seen[0]?.tools.map((it) => 'name' in it && it.name)).toEqual(NAMES)
    expect(JSON.stringify(seen[1]?.input)).toContain('Approved, and the amount is taken')
    expect(await buyer.spent()).toBe(4)
  })

  test('offer only the tools that the program names', async () => {
    const { purser } = await shop.buyer(10)
    const only = ['check_spend', 'get_budget']
    expect(Object.keys(aiTools(purser, { only }))).toEqual(only)
    expect(langchainTools(purser, { only }).map(({ name }) => name)).toEqual(only)
    expect(openaiAgentsTools(purser, { only }).map(({ name }) => name)).toEqual(only)
    expect(() => aiTools(purser, { only: ['pay'] })).toThrow('There is no tool `pay`')
  })
})
