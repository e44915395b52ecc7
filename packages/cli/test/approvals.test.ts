import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../server/test/support/app.ts'
import {
  anApprover,
  aSpender,
  askFor,
  endApprovals,
  readApproval,
} from '../../server/test/support/approvals.ts'
import { anActiveMandate, anAgent } from '../../server/test/support/builders.ts'
import { toApprovalPage } from '../src/approvals/show.ts'
import { callPurser } from './support/in-process.ts'
import { killPursers, startPurser } from './support/purser.ts'

const ASKS = { type: 'approval', above: 5 }

let app: TestApp
let acme: Owner
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  const { apiKey } = await anApprover(app, acme)
  env = {
    PURSER_URL: await app.app.listen({ host: '127.0.0.1', port: 0 }),
    PURSER_API_KEY: apiKey,
  }
})
afterEach(() => killPursers())
afterAll(() => app.stop())

type Fields = Readonly<Record<string, unknown>>

async function asked(fields: Fields = {}): Promise<string> {
  return (await askedBy(fields)).id
}

async function askedBy(fields: Fields = {}) {
  const { id: agentId } = await anAgent(acme, { name: 'Buyer' })
  await anActiveMandate(acme, { agentId, rules: [ASKS] })
  return { agentId, id: await askFor(await aSpender(app, acme, agentId), agentId, fields) }
}

async function run(...args: readonly string[]) {
  const purser = await callPurser(['approvals', ...args], env)
  const code = await purser.exited()
  return { code, out: purser.lines.join('\n'), told: purser.told.join('\n') }
}

test('purser approvals lists pending requests, and shows one with all details', async () => {
  const id = await asked({ reason: 'Licences\nstatus  approved' })
  const listed = await startPurser(['approvals', 'list'], env)
  expect(await listed.exited()).toBe(0)
  expect(listed.lines.join('\n')).toContain(`${id}  pending  10.00 USD  api.openai.com  Buyer`)
  const shown = await run('show', id)
  expect(shown.out).toContain('10.00 USD at api.openai.com')
  expect(shown.out).toContain('A spend of more than 5 USD needs the approval of a person.')
  // A text from an agent cannot look like a separate line.
  expect(shown.out).toContain('Licences?status  approved')
  expect(JSON.parse((await run('show', id, '--json')).out)).toMatchObject({ id, alike: 1 })
})

test('purser approvals shows the card that would pay', async () => {
  const shown = JSON.parse((await run('show', await asked(), '--json')).out)
  expect(toApprovalPage(shown).join('\n')).not.toMatch(/^card /m)
  expect(toApprovalPage({ ...shown, cardId: 'card_1' }).join('\n')).toMatch(/^card +card_1$/m)
})

test('purser approvals approves a smaller amount, with a comment', async () => {
  const id = await asked()
  const approved = await run('approve', id, '--comment', 'Agreed', '--max-amount', '9')
  expect(approved).toMatchObject({ code: 0 })
  expect(approved.out).toContain('at most 9.00 USD until')
  expect(await readApproval(acme, id)).toMatchObject({
    status: 'approved',
    decisions: [{ comment: 'Agreed', maxAmount: 9 }],
  })
})

test('purser approvals rejects several, and names those that it could not', async () => {
  const [first, second] = [await asked(), await asked()]
  expect((await run('reject', second)).code).toBe(0)
  const both = await run('reject', first, '--also', second)
  expect(both.code).toBe(1)
  expect(both.told).toContain(`${second}: `)
  expect((await readApproval(acme, first)).status).toBe('rejected')
  const again = await run('approve', first)
  expect(again).toMatchObject({ code: 1 })
  expect(again.told).toContain('was already rejected by Approver;')
})

test('purser approvals names each additional request that it decided', async () => {
  const [first, second] = [await asked(), await asked()]
  const both = await run('reject', first, '--also', second)
  expect(both).toMatchObject({ code: 0, told: '' })
  expect(both.out).toContain(`Also rejected: ${second}`)
  expect((await readApproval(acme, second)).status).toBe('rejected')
})

test.each(['0x5', '1e1', 'Infinity', '5,5', '-5', '0', '0.0', ' '])(
  'purser approvals refuses the amount %j',
  async (amount) => {
    const id = await asked()
    const refused = await run('approve', id, `--max-amount=${amount}`)
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.told).toContain('Expected an amount in units of the currency, such as 12.5.')
    expect((await readApproval(acme, id)).status).toBe('pending')
  },
)

test('purser approvals shows the outcome of a request', async () => {
  const id = await asked()
  const waiting = await run('show', id)
  expect(waiting.out).toMatch(/^requested +once$/m)
  expect(waiting.out).toMatch(/^open until +\S+Z$/m)
  const approved = await run('approve', id, '--comment', 'Agreed')
  expect(approved.out).toMatch(/^approved +by Approver at \S+Z: Agreed$/m)
  expect(approved.out).not.toContain('open until')
  const rejected = await asked()
  expect((await run('reject', rejected)).out).toMatch(/^rejected +by Approver at \S+Z$/m)
  const { agentId, id: expired } = await askedBy()
  await endApprovals(app, agentId)
  expect((await run('show', expired)).out).toMatch(/^expired at +\S+Z$/m)
})

test('purser approvals says that a list is empty, and until when listed requests are valid', async () => {
  const none = await run('list', '--status', 'used')
  expect(none).toMatchObject({ code: 0, out: '', told: 'No used approval requests.' })
  const id = await asked()
  const line = (await run('list')).out.split('\n').find((one) => one.startsWith(id))
  expect(line).toMatch(/ {2}Buyer {2}until \S+Z$/)
})

test.each([
  [['show', 'nope'], 'The id must look like apr_'],
  [['reject', 'ID', '--also', 'nope'], '--also must look like apr_'],
  [['approve', 'ID', '--max-amount', '11'], '--max-amount must be at most the requested amount'],
  [['reject', 'ID', '--comment='], '--comment must not be empty.'],
])('purser approvals names the option that is wrong in %j', async (args, sentence) => {
  const id = await asked()
  const refused = await run(...args.map((one) => (one === 'ID' ? id : one)))
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.told).toContain(`purser: ${sentence}`)
})

test('purser approvals names the address that does not answer', async () => {
  const silent = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const purser = await startPurser(['approvals', 'list'], { ...env, PURSER_URL: url })
  expect(await purser.exited()).toBe(1)
  silent.close()
  expect(purser.told.join()).toContain(`No answer from ${url}: connection closed.`)
})

test('purser approvals says what is missing', async () => {
  const purser = await callPurser(['approvals', 'list'], {})
  expect(await purser.exited()).toBe(2)
  expect(purser.told.join()).toContain('PURSER_API_KEY')
  expect(purser.told).toContain('(purser approvals list --help shows the options)')
})

test('purser names the help of the subcommand that was used wrongly', async () => {
  const purser = await callPurser(['approvals', 'lst'], {})
  expect(await purser.exited()).toBe(2)
  expect(purser.told).toContain('(purser approvals --help shows the commands)')
})
