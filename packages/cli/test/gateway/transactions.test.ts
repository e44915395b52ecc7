import { afterEach, beforeAll, expect, test } from 'vitest'
import { anActiveMandate, anAgent } from '../../../server/test/support/builders.ts'
import { shareGateway } from '../support/gateway.ts'
import { killPursers, startPurser } from '../support/purser.ts'

const gateway = shareGateway()
afterEach(() => killPursers())

beforeAll(async () => {
  const acme = gateway.acme()
  const { id: agentId } = await anAgent(acme, { name: 'Buyer', externalId: 'buyer-1' })
  await anActiveMandate(acme, { agentId, budgetTotal: 100 })
})

async function spend(amount: number, ...more: readonly string[]): Promise<string> {
  const args = ['--agent', 'buyer-1', '--amount', String(amount), '--vendor', 'api.openai.com']
  const answer = await gateway.json('evaluate', ...args, '--category', 'llm', ...more)
  return answer.transactionId
}

test('purser transactions lists, shows and explains', async () => {
  const [settled, rejected] = [await spend(3), await spend(3_000)]
  const listed = await startPurser(['transactions', 'list', '--agent', 'buyer-1'], gateway.env())
  expect(await listed.exited()).toBe(0)
  const [head = '', ...rows] = listed.lines
  expect(head).toMatch(/^ID +TIME +STATUS +AMOUNT +VENDOR +CATEGORY +AGENT +CODE$/)
  expect(rows.find((row) => row.startsWith(settled))).toMatch(
    /settled +3\.00 USD +api\.openai\.com/,
  )
  const refused = await gateway.json('transactions', 'list', '--decision', 'rejected')
  expect(refused).toMatchObject({ data: [{ transactionId: rejected }] })
  expect((await gateway.run('transactions', 'show', settled)).out).toMatch(/^settled +3\.00 USD$/m)
  const explained = await gateway.run('transactions', 'explain', rejected)
  expect(explained).toMatchObject({ code: 0 })
  expect(explained.out).toMatch(/^budget +fail +budget_exceeded /m)
  expect(await gateway.json('transactions', 'explain', rejected)).toMatchObject({
    status: 'rejected',
  })
})

test('purser transactions settles, voids and refunds', async () => {
  const hold = ['--hold', '15m']
  const [first, second] = [await spend(4, ...hold), await spend(5, ...hold)]
  const settled = await gateway.run('transactions', 'settle', first, '--amount', '3.5')
  expect(settled.out).toMatch(/^settled +3\.50 USD$/m)
  expect(await gateway.json('transactions', 'void', second)).toMatchObject({ status: 'voided' })
  const refunded = await gateway.json('transactions', 'refund', first, '--amount', '1')
  expect(refunded).toMatchObject({ status: 'partially_refunded', refundedAmount: 1 })
  const again = await gateway.run('transactions', 'void', second)
  expect(again).toMatchObject({ code: 1, out: '' })
  expect(again.told).toMatch(/^purser: .+\(request \S+\)$/)
  const wrong = await gateway.run('transactions', 'show', 'nope')
  expect(wrong.told).toMatch(/^purser: The id must look like txn_/)
})

test('purser transactions exports one JSON object per line', async () => {
  const id = await spend(2, '--reference', 'export-1')
  const exported = await gateway.run('transactions', 'export', '--reference', 'export-1')
  expect(exported).toMatchObject({ code: 0, told: '' })
  expect(exported.out.split('\n').map((line) => JSON.parse(line))).toMatchObject([
    { transactionId: id },
  ])
})

test('purser tail follows decisions that the filters choose', async () => {
  const approved = await spend(7, '--reason', 'Report')
  const rejected = await spend(7_000)
  const from = ['--after', 'oldest', '--agent', 'buyer-1', '--min-amount', '7']
  const followed = await gateway.run('tail', ...from, '--count', '2', '--vendor', 'api.openai.com')
  expect(followed).toMatchObject({ code: 0 })
  const starts = followed.out.split('\n').map((line) => line.indexOf('txn_'))
  expect(new Set(starts).size).toBe(1)
  expect(followed.told).toBe(`Following ${gateway.url()}`)
  const refusals = await gateway.run('tail', ...from, '--rejected', '--json', '--count', '2')
  const events = refusals.out.split('\n').map((line) => JSON.parse(line))
  expect(events).toHaveLength(2)
  expect(events.every(({ event }) => event === 'transaction.rejected')).toBe(true)
  const own = ['--approved', '--count', '1']
  expect((await gateway.run('tail', ...from, ...own)).out).toMatch(
    new RegExp(`^\\S+Z {2}approved {6}7\\.00 USD {2}api\\.openai\\.com {6}llm {9}${approved}$`),
  )
  expect(events.map(({ data }) => data.transactionId)).toContain(rejected)
})
