import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { anActiveMandate, anAgent } from '../../../server/test/support/builders.ts'
import { shareGateway } from '../support/gateway.ts'
import { killPursers, startPurser } from '../support/purser.ts'

const gateway = shareGateway()
afterEach(() => killPursers())

let agentId: string
beforeAll(async () => {
  const acme = gateway.acme()
  agentId = (await anAgent(acme, { name: 'Buyer', externalId: 'buyer-1' })).id
  const rules = [{ type: 'amount', id: 'cap', max: 20 }]
  await anActiveMandate(acme, { agentId, budgetTotal: 100, rules })
})

const spend = (amount: number, ...more: readonly string[]) => [
  ...['evaluate', '--agent', 'buyer-1', '--amount', String(amount)],
  ...['--vendor', 'api.openai.com', '--category', 'llm', ...more],
]

test('purser evaluate prints the findings, and exits with 0 or 3', async () => {
  const approved = await gateway.run(...spend(5))
  expect(approved).toMatchObject({ code: 0, told: '' })
  expect(approved.out).toMatch(/^RULE +RESULT +CODE +OBSERVED +LIMIT +MESSAGE$/m)
  expect(approved.out).toMatch(/^cap +pass .* 5 +20 /m)
  expect(approved.out).toContain('Approved: ')
  expect(approved.out).toMatch(/^transaction +txn_/m)
  const rejected = await gateway.run(...spend(50))
  expect(rejected).toMatchObject({ code: 3, told: '' })
  expect(rejected.out).toMatch(/^cap +fail /m)
  expect(rejected.out).toMatch(/^would pass now +at most 20\.00$/m)
  expect(rejected.out).not.toContain('with an approval')
})

test('purser evaluate --json prints the answer of the API, with the same exit codes', async () => {
  const command = await startPurser(spend(5, '--json'), gateway.env())
  expect(await command.exited()).toBe(0)
  expect(JSON.parse(command.lines.join())).toMatchObject({ decision: 'approved', agentId })
  const rejected = await gateway.run(...spend(50, '--json'))
  expect(rejected.code).toBe(3)
  expect(JSON.parse(rejected.out)).toMatchObject({ decision: 'rejected' })
})

test('purser evaluate --dry-run records nothing', async () => {
  const before = await gateway.json('transactions', 'list')
  const passed = await gateway.run(...spend(5, '--dry-run'))
  expect(passed).toMatchObject({ code: 0 })
  expect(passed.out).toContain('nothing was recorded')
  expect(passed.out).toMatch(/^status +would be settled$/m)
  expect((await gateway.run(...spend(50, '--dry-run'))).code).toBe(3)
  expect((await gateway.run(...spend(5, '--dry-run', '--approval', 'apr_1'))).code).toBe(2)
  expect(await gateway.json('transactions', 'list')).toMatchObject({ total: before.total })
})

test('purser evaluate buys once with the same idempotency key', async () => {
  const once = spend(1, '--idempotency-key', 'order-1')
  const first = await gateway.json(...once)
  expect(await gateway.json(...once)).toMatchObject({ transactionId: first.transactionId })
})

test('purser evaluate names the option that is wrong, and the request', async () => {
  const wrong = await gateway.run(...spend(5, '--currency', 'dollars'))
  expect(wrong).toMatchObject({ code: 1, out: '' })
  expect(wrong.told).toMatch(/^purser: --currency .*\(request \S+\)$/)
  const unknown = ['--agent', 'nobody', '--amount', '1', '--vendor', 'a.com', '--category', 'x']
  const missing = await gateway.run('evaluate', ...unknown)
  expect(missing).toMatchObject({ code: 2, out: '' })
  expect(missing.told).toContain('there is no agent with the externalId or name “nobody”')
  expect((await gateway.run(...spend(0))).code).toBe(2)
  expect((await gateway.run('evaluate', '--amount', '1')).told).toContain('--vendor <host>')
})

test('--agent takes a name that only one agent has', async () => {
  const acme = gateway.acme()
  const spendAs = (agent: string) =>
    gateway.run(...spend(1, '--dry-run', '--json').map((arg) => (arg === 'buyer-1' ? agent : arg)))
  const named = await spendAs('Buyer')
  expect(JSON.parse(named.out)).toMatchObject({ decision: 'approved', agentId })
  const [first, second] = [
    await anAgent(acme, { name: 'Twin' }),
    await anAgent(acme, { name: 'Other', externalId: 'Twin' }),
  ]
  const two = await spendAs('Twin')
  expect(two).toMatchObject({ code: 2, out: '' })
  expect(two.told).toContain('“Twin” means two agents')
  for (const { id } of [first, second]) expect(two.told).toContain(id)
})

test('a command whose answer is lost ends with 4, and names the key to repeat it with', async () => {
  const silent = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const args = ['--amount', '1', '--vendor', 'a.com', '--category', 'x', '--idempotency-key', 'k-1']
  const evaluate = ['evaluate', '--url', `http://127.0.0.1:${port}`, ...args]
  const lost = await gateway.run(...evaluate)
  const simulated = await gateway.run(...evaluate, '--dry-run')
  silent.close()
  expect(lost).toMatchObject({ code: 4, out: '' })
  expect(lost.told).toContain('The outcome is unknown')
  expect(lost.told).toContain('--idempotency-key k-1')
  expect(lost.told.split('\n')).toHaveLength(1)
  // A simulation has no effect that could be unknown.
  expect(simulated.code).toBe(1)
  expect(simulated.told).not.toContain('The outcome is unknown')
})

test('Ctrl-C during a call ends with 4, and names the key to repeat it with', async () => {
  const slow = createServer().listen(0, '127.0.0.1')
  await once(slow, 'listening')
  const { port } = slow.address() as { port: number }
  const args = ['--url', `http://127.0.0.1:${port}`, '--amount', '1', '--vendor', 'a.com']
  const command = await startPurser(['evaluate', ...args, '--category', 'x'], gateway.env())
  const [request] = await once(slow, 'request')
  const key = request.headers['idempotency-key']
  expect(await command.interrupt()).toBe(4)
  slow.close()
  expect(command.told).toHaveLength(1)
  expect(command.told[0]).toMatch(/^purser: Interrupted\. The outcome is unknown/)
  expect(command.told[0]).toContain(`--idempotency-key ${key},`)
})
