import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../server/test/support/app.ts'
import { aDraft, anActiveMandate, anAgent, bodyOf } from '../../server/test/support/builders.ts'
import { createTemporaryFolder } from '../../server/test/support/database.ts'
import { callPurser } from './support/in-process.ts'

let app: TestApp
let acme: Owner
let env: Readonly<Record<string, string>>
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let agentId: string
let mandateId: string

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  env = {
    PURSER_BASE_URL: await app.app.listen({ host: '127.0.0.1', port: 0 }),
    PURSER_API_KEY: acme.apiKey,
  }
  folder = await createTemporaryFolder()
  agentId = (await anAgent(acme, { name: 'Buyer', externalId: 'buyer' })).id
  const rules = [{ type: 'amount', max: 60 }]
  mandateId = (await anActiveMandate(acme, { agentId, name: 'Budget', rules })).id
  for (const amount of [55, 10, 40, 35]) {
    const spend = { agentId, amount, vendor: 'api.openai.com', category: 'llm' }
    bodyOf(await acme.post('/gateway/evaluate', spend))
  }
})
afterAll(async () => {
  await app.stop()
  await folder.remove()
})

async function run(args: readonly string[], terminal = false) {
  const purser = await callPurser(['backtest', ...args], env, { terminal })
  const code = await purser.exited()
  return { code, out: purser.lines.join('\n'), told: purser.told.join('\n') }
}

async function write(name: string, text: string): Promise<string> {
  const file = join(folder.path, name)
  await writeFile(file, text)
  return file
}

test('purser backtest shows the decisions that other rules change', async () => {
  const file = await write('rules.json', '[{"type": "amount", "max": 50}]')
  const { code, out, told } = await run([mandateId, '-f', file, '--days', '30'])
  expect({ code, told }).toEqual({ code: 0, told: '' })
  expect(out).toContain('4 decisions replayed, from ')
  expect(out).toContain('Newly rejected: 1 (55.00 USD). Newly approved: 1 (40.00 USD).')
  expect(out).toMatch(/^approved +amount_above_max +1 +-55\.00 USD$/m)
  expect(out).toMatch(
    /^\S+Z +55\.00 USD +api\.openai\.com +approved +amount_above_max +amount +txn_\w+$/m,
  )
  expect(out).toMatch(
    /^\S+Z +40\.00 USD +api\.openai\.com +budget_exceeded +approved +\w* *txn_\w+$/m,
  )
  const json = await run([mandateId, '-f', file, '--json', '--examples', '1'])
  expect(JSON.parse(json.out)).toMatchObject({ replayed: 4, newlyRejected: 1, examples: [{}] })
})

test('purser backtest shows its progress at a terminal, and removes it', async () => {
  const file = await write('rules.json', '{"rules": [{"type": "amount", "max": 50}]}')
  const { code, out, told } = await run([mandateId, '-f', file], true)
  expect(code).toBe(0)
  expect(out).toContain('4 decisions replayed')
  // Each line is cleared before the next one, and the last one at the end.
  const parts = told.split('\r\u001b[K')
  expect(parts.filter((part) => part !== '' && !/^\d+ decisions replayed/.test(part))).toEqual([])
  expect(parts.at(-1)).toBe('')
})

test('purser backtest finds the mandate of a mandate file, and uses its budget', async () => {
  const file = await write('buyer.yaml', 'agent: buyer\nname: Budget\nbudgetTotal: 200\n')
  const { code, out } = await run(['-f', file])
  expect(code).toBe(0)
  expect(out).toContain('Newly rejected: 0. Newly approved: 1 (40.00 USD).')
})

test('purser backtest tests a draft with all spends of its agent', async () => {
  const draft = await aDraft(acme, { agentId, name: 'Next' })
  const file = await write(
    'next.yaml',
    'agent: buyer\nname: Next\nrules: [{type: amount, max: 20}]\n',
  )
  const { out } = await run([draft.id, '-f', file])
  expect(out).toContain('4 decisions replayed')
  expect(out).toContain('Newly rejected: 2 (90.00 USD).')
})

test.each([
  ['[{"type": "amount", "max": 50}]', [], 2, 'name the mandate, such as purser backtest mnd_…'],
  [
    '[{"type": "amount", "maximum": 50}]',
    ['ID'],
    1,
    'rules.json:1: [0].maximum is not a field here',
  ],
  ['[{"type": "amount",\n  "max": -50}]', ['ID'], 1, 'rules.json:2: [0].max '],
  ['{"rules": [\n  {"type": "amount", "max": 0}]}', ['ID'], 1, 'rules.json:2: rules[0].max '],
  ['agent: buyer\nname: Nothing\nbudgetTotal: 5', [], 1, 'does not exist yet'],
  ['[]', ['ID', '--days', '0'], 2, 'Expected a number from 1 to 3660.'],
])('purser backtest refuses %j with %j', async (text, args, code, sentence) => {
  const file = await write('rules.json', text)
  const failed = await run([...args.map((one) => (one === 'ID' ? mandateId : one)), '-f', file])
  expect(failed).toMatchObject({ code, out: '' })
  expect(failed.told).toContain(sentence)
})
