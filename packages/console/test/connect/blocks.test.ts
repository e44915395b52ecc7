import { expect, test } from 'vitest'
import readme from '../../../cli/README.md?raw'
import type { LiveEvent } from '../../src/data/stream/events.ts'
import { blocksOf, TABS } from '../../src/screens/connect/blocks.ts'
import { exampleAgent, exampleSpend } from '../../src/screens/connect/example-spend.ts'
import { arrivedWords, isExpected, unknownSpend } from '../../src/screens/connect/expected.ts'

const TARGET = {
  ...{ url: 'https://purser.example', agentId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11' },
  spend: { amount: 12.5, vendor: 'api.openai.com', category: 'llm' },
}

test('names the commands of the command line that exist', () => {
  const codes = TABS.flatMap((tab) => blocksOf(tab, TARGET).map(({ code }) => code)).join('\n')
  const commands = [...codes.matchAll(/npx (purser (?:[a-z]+)(?: (?:list|approve|card))?)/g)]
  expect(commands.length).toBeGreaterThan(3)
  for (const [, command] of commands) expect(readme).toContain(`\`${command}`)
})

test('keeps the key and the address in the environment', () => {
  for (const tab of TABS) {
    const [set] = blocksOf(tab, TARGET).filter(({ id }) => id === 'environment')
    expect(set?.code).toContain("export PURSER_BASE_URL='https://purser.example'")
  }
  for (const { code } of blocksOf('curl', TARGET)) {
    expect(code).not.toContain('psr_')
    if (code.includes('curl ')) expect(code).toContain('$PURSER_API_KEY')
    if (code.includes('curl ')) expect(code).toContain('"$PURSER_BASE_URL/api/v1/')
  }
})

test('leads MCP clients to the gateway, and keeps the key out of files that are shared', () => {
  const blocks = blocksOf('mcp', TARGET)
  const settings = blocks.filter(({ lang }) => lang === 'json').map(({ code }) => JSON.parse(code))
  const servers = settings.map((it) => (it.mcpServers ?? it.servers).purser)
  expect(servers.map(({ url, env }) => url ?? `${env.PURSER_BASE_URL}/mcp`)).toEqual([
    ...['https://purser.example/mcp', 'https://purser.example/mcp', 'https://purser.example/mcp'],
  ])
  expect(JSON.stringify(settings.slice(0, 2))).not.toContain('psr_')
  expect(blocks.at(-1)?.expected?.agentId).toBe(TARGET.agentId)
})

test('lets the shell fill in the transaction of a hold', () => {
  const hold = blocksOf('curl', TARGET).find(({ id }) => id === 'hold')
  expect(hold?.code).toContain('"$PURSER_BASE_URL/api/v1/transactions/$TXN/settle"')
})

test('allows plain HTTP only where the SDK needs the word', () => {
  const codeOf = (url: string) => blocksOf('sdk', { ...TARGET, url })[2]?.code
  expect(codeOf('http://127.0.0.1:3000')).toContain('new Purser()')
  expect(codeOf('http://10.0.0.7:3000')).toContain('new Purser({ allowHttp: true })')
})

test('knows the event of its own agent', () => {
  const spend = { amount: 12.5, vendor: 'a.example' }
  const expected = { kinds: ['transaction.approved'], agentId: 'a', spend, waiting: '' }
  const event = (data: Record<string, unknown>): LiveEvent => ({
    ...{ kind: 'transaction.approved', subject: null, data, receivedAt: 0 },
  })
  expect(isExpected(expected, event({ agentId: 'a', ...spend }))).toBe(true)
  expect(isExpected(expected, event({ agentId: 'b', ...spend }))).toBe(false)
  // A different program of the same agent.
  expect(isExpected(expected, event({ agentId: 'a', ...spend, amount: 0.08 }))).toBe(false)
  expect(isExpected(expected, event({ agentId: 'a', ...spend, vendor: 'b.example' }))).toBe(false)
  // A hint names no agent, so the page asks for the transaction.
  expect(isExpected(expected, event({}))).toBe(false)
  expect(unknownSpend(expected, { ...event({}), subject: 'txn_1' })).toBe('txn_1')
  expect(unknownSpend(expected, { ...event(spend), subject: 'txn_1' })).toBeNull()
  expect(arrivedWords(event({ amount: 12.5, vendor: 'a.example', currency: 'USD' }))).toBe(
    'Spend approved, 12.50 USD at a.example.',
  )
})

test('fills in a spend that the mandate should approve', () => {
  const rules = [
    { type: 'amount', max: 5 },
    { type: 'vendors', allow: ['*.klm.com'] },
    { type: 'categories', allow: ['travel'] },
  ]
  expect(exampleSpend({ rules } as never)).toEqual({
    ...{ amount: 5, vendor: 'www.klm.com', category: 'travel' },
  })
  expect(exampleSpend(null)).toEqual(TARGET.spend)
})

test('shows a vendor and a category that go together', () => {
  const rules = [
    { type: 'categories', allow: ['travel'] },
    { type: 'approval', above: 8 },
  ]
  expect(exampleSpend({ rules } as never)).toEqual({
    ...{ amount: 8, vendor: 'lufthansa.com', category: 'travel' },
  })
  const paid = { vendor: 'klm.com', category: 'travel', amount: 3 }
  expect(exampleSpend({ rules } as never, paid)).toEqual({ ...paid, amount: 8 })
  const drift = [{ type: 'price_drift', maxIncreasePercent: 10 }]
  expect(exampleSpend({ rules: drift } as never, paid)).toEqual(paid)
})

test('chooses an agent that can spend, and an amount that its budget has', () => {
  const agent = (status: string, remainingBudget: number | null) => ({
    ...{ status, mandate: remainingBudget === null ? null : { rules: [], remainingBudget } },
  })
  const [none, empty, paused, ready] = [
    ...[agent('active', null), agent('active', 0), agent('paused', 50), agent('active', 4)],
  ] as never[]
  expect(exampleAgent([none, empty, paused, ready] as never)).toBe(ready)
  expect(exampleAgent([none, empty] as never)).toBe(empty)
  expect(exampleAgent([])).toBeUndefined()
  expect(exampleSpend({ rules: [], remainingBudget: 4 } as never).amount).toBe(4)
  expect(exampleSpend({ rules: [], remainingBudget: 0 } as never).amount).toBe(12.5)
})

test('lets no category end the quotation of the code', () => {
  const spend = { ...TARGET.spend, category: "it's'); process.exit(1); ('" }
  const code = blocksOf('sdk', { ...TARGET, spend })[2]?.code
  expect(code).toContain("category: 'it\\'s\\'); process.exit(1); (\\''")
})
