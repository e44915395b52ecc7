import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../server/test/support/app.ts'
import { aDraft, anActiveMandate, anAgent, NO_MANDATE } from '../../server/test/support/builders.ts'
import { callPurser } from './support/in-process.ts'

let app: TestApp
let acme: Owner
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  env = {
    PURSER_BASE_URL: await app.app.listen({ host: '127.0.0.1', port: 0 }),
    PURSER_API_KEY: acme.apiKey,
  }
})
afterAll(() => app.stop())

async function run(...args: readonly string[]) {
  const purser = await callPurser(['mandates', ...args], env)
  const code = await purser.exited()
  return { code, out: purser.lines.join('\n'), told: purser.told.join('\n') }
}

test('purser mandates lists mandates of an agent or with a status', async () => {
  const agent = await anAgent(acme, { name: 'Buyer', externalId: 'buyer' })
  const active = await anActiveMandate(acme, { agentId: agent.id, name: 'Budget' })
  const draft = await aDraft(acme, { draftOf: active.id, agentId: agent.id, budgetTotal: 120 })
  const listed = await run('list', '--agent', 'buyer')
  expect(listed.code).toBe(0)
  expect(listed.out).toMatch(
    new RegExp(`${active.id} +active +1 +Buyer +Budget +100\\.00 USD +0 %`),
  )
  expect(listed.out).toMatch(new RegExp(`${draft.id} +draft +next after 1`))
  const drafts = await run('list', '--agent', agent.id, '--status', 'draft', '--json')
  expect(JSON.parse(drafts.out)).toMatchObject({ total: 1, data: [{ id: draft.id }] })
  const none = await run('list', '--agent', agent.id, '--status', 'revoked')
  expect(none).toMatchObject({ code: 0, out: '', told: 'No mandates.' })
})

test('purser mandates shows budget and rules', async () => {
  const rules = [
    { type: 'amount', max: 20 },
    { type: 'vendors', allow: ['a.com'], effect: 'flag' },
  ]
  const { id } = await anActiveMandate(acme, { rules, budgetPeriod: 'monthly' })
  const { code, out } = await run('show', id)
  expect(code).toBe(0)
  expect(out).toMatch(/^budget +100\.00 USD monthly$/m)
  expect(out).toMatch(/^rule amount +amount: max 20 \(reject\)$/m)
  expect(out).toMatch(/^rule vendors +vendors: allow \["a.com"\] \(flag\)$/m)
  const json = JSON.parse((await run('show', id, '--json')).out)
  expect(json).toMatchObject({ id, budgetTotal: 100 })
})

test('purser mandates activates a draft, changes its budget and revokes it', async () => {
  const { id } = await aDraft(acme)
  expect((await run('activate', id)).out).toMatch(/^status +active$/m)
  const changed = await run('budget', id, '250', '--expected-version', '1', '--json')
  expect(JSON.parse(changed.out)).toMatchObject({ budgetTotal: 250, version: 2 })
  const outdated = await run('budget', id, '300', '--expected-version', '1')
  expect(outdated).toMatchObject({ code: 1, out: '' })
  expect(outdated.told).toContain('changed the mandate at')
  expect((await run('revoke', id, '--reason', 'Done')).out).toMatch(/^status +revoked$/m)
  expect((await run('delete', id)).out).toBe(`Archived ${id}.`)
})

test('purser mandates replaces the active mandate of an agent only if told to', async () => {
  const { id: agentId } = await anAgent(acme)
  const old = await anActiveMandate(acme, { agentId })
  const { id } = await aDraft(acme, { agentId })
  expect(await run('activate', id)).toMatchObject({ code: 1, out: '' })
  expect((await run('activate', id, '--replace')).code).toBe(0)
  expect((await acme.get(`/mandates/${old.id}`)).body.status).toBe('revoked')
})

test('purser mandates deletes a draft', async () => {
  const { id } = await aDraft(acme)
  expect(await run('delete', id)).toMatchObject({ code: 0, out: `Deleted the draft ${id}.` })
})

test.each([
  [['budget', NO_MANDATE, '1e3'], 2, 'Expected an amount in units of the currency, such as 12.5.'],
  [
    ['budget', NO_MANDATE, '5', '--expected-version', 'x'],
    2,
    'Expected a number from 1 to 999999999.',
  ],
  [['list', '--status', 'open'], 2, 'Allowed choices are draft, active, expired, revoked.'],
  [['show', NO_MANDATE], 1, NO_MANDATE],
  [['show', 'nope'], 1, 'The id must look like mnd_'],
])('purser mandates %j fails with a sentence', async (args, code, sentence) => {
  const failed = await run(...args)
  expect(failed).toMatchObject({ code, out: '' })
  expect(failed.told).toContain(sentence)
})
