import { createHmac } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { anActiveMandate, anAgent } from '../../../server/test/support/builders.ts'
import { shareGateway } from '../support/gateway.ts'
import { callPurser } from '../support/in-process.ts'
import { killPursers, startPurser } from '../support/purser.ts'

const gateway = shareGateway()
afterEach(() => killPursers())

test('purser freeze stops every spend until purser resume', async () => {
  const { id: agentId } = await anAgent(gateway.acme(), { externalId: 'frozen-1' })
  await anActiveMandate(gateway.acme(), { agentId, budgetTotal: 100 })
  const purchase = ['--agent', agentId, '--amount', '1', '--vendor', 'a.com', '--category', 'llm']
  const frozen = await startPurser(['freeze', '--reason', 'Leak', '--json'], gateway.env())
  expect(await frozen.exited()).toBe(0)
  expect(JSON.parse(frozen.lines.join())).toMatchObject({ frozen: true, frozenReason: 'Leak' })
  expect((await gateway.run('evaluate', ...purchase)).code).toBe(3)
  const resumed = await gateway.run('resume')
  expect(resumed).toMatchObject({ code: 0 })
  expect(resumed.out).toMatch(/^status +not frozen$/m)
  expect((await gateway.run('evaluate', ...purchase)).code).toBe(0)
})

test('purser usage shows the use of the plan', async () => {
  expect(await gateway.json('usage')).toMatchObject({ plan: expect.any(String) })
  expect((await gateway.run('usage')).out).toMatch(/^evaluations +\d+/m)
})

test('purser webhooks sends a test, shows and resends its delivery', async () => {
  const none = await gateway.run('webhooks', 'test')
  expect(none).toMatchObject({ code: 1, out: '' })
  expect(none.told).toContain('in the console under Settings, Webhook')
  const change = { webhookUrl: 'https://127.0.0.1:2/hook' }
  await gateway.acme().patch('/organization', change)
  const sent = await gateway.json('webhooks', 'test', 'transaction.rejected')
  expect(sent).toMatchObject({ event: 'transaction.rejected', test: true })
  const listed = await gateway.run('webhooks', 'deliveries', '--event', 'transaction.rejected')
  expect(listed.out).toMatch(new RegExp(`^${sent.id} +\\w+ +transaction\\.rejected `, 'm'))
  const byAlias = await gateway.json('webhooks', 'list', '--event', 'transaction.rejected')
  expect(byAlias.data).toMatchObject([{ id: sent.id }])
  const shown = await gateway.run('webhooks', 'deliveries', sent.id)
  expect(shown.out).toMatch(/^attempts +\d+ of \d+$/m)
  expect(await gateway.json('webhooks', 'resend', sent.id)).toMatchObject({ id: sent.id })
  expect((await gateway.run('webhooks', 'resend', sent.id, '--stop')).code).toBe(2)
  const all = await gateway.run('webhooks', 'resend', 'failed', '--from', '2026-01-01')
  expect(all.out).toMatch(/^deliveries +\d+$/m)
})

test('purser webhooks rotate prints only the new secret, once', async () => {
  const rotated = await gateway.run('webhooks', 'rotate', '--grace-period', '60')
  expect(rotated).toMatchObject({ code: 0 })
  expect(rotated.out).toMatch(/^whsec_\S+$/)
  expect(rotated.told).not.toContain(rotated.out)
  expect(rotated.told).toMatch(/also signs until \S+Z\.$/)
  expect(createHmac('sha256', rotated.out).update('').digest('hex')).toHaveLength(64)
  const again = await gateway.json('webhooks', 'rotate')
  expect(again.webhookSecret).not.toBe(rotated.out)
})

test('purser tokens issues, checks and revokes a mandate token', async () => {
  const { id: agentId } = await anAgent(gateway.acme(), { externalId: 'token-1' })
  await anActiveMandate(gateway.acme(), { agentId, budgetTotal: 100 })
  const audience = ['--audience', 'https://shop.example', '--ttl', '120']
  const issued = await gateway.run('tokens', 'issue', '--agent', 'token-1', ...audience)
  expect(issued).toMatchObject({ code: 0 })
  expect(issued.out.split('.')).toHaveLength(3)
  expect(issued.told).not.toContain(issued.out)
  const active = await gateway.runWith(`${issued.out}\n`, 'tokens', 'introspect')
  expect(active).toMatchObject({ code: 0 })
  expect(active.out).toMatch(/^remaining budget +100\.00 of 100\.00 USD$/m)
  expect((await gateway.run('tokens', 'revoke')).code).toBe(2)
  expect((await gateway.run('tokens', 'revoke', '--agent', 'token-1')).code).toBe(0)
  const ended = await gateway.runWith(issued.out, 'tokens', 'introspect')
  expect(ended).toMatchObject({ code: 3, out: 'The token is not active.' })
  expect((await gateway.run('tokens', 'introspect')).code).toBe(2)
})

test('purser openapi prints the document of the gateway, without a key', async () => {
  const printed = await gateway.run('openapi')
  expect(printed).toMatchObject({ code: 0, told: '' })
  expect(JSON.parse(printed.out)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })
  const missing = await gateway.run('openapi', '--url', 'http://127.0.0.1:2')
  expect(missing).toMatchObject({ code: 1, out: '' })
  expect(missing.told).toContain('No answer from http://127.0.0.1:2: connection refused.')
})

test('an https address of a plain http port is explained in words', async () => {
  const secure = gateway.url().replace('http:', 'https:')
  const usage = await gateway.run('usage', '--url', secure)
  expect(usage).toMatchObject({ code: 1, out: '' })
  expect(usage.told).toContain(`answers, but not with TLS: use ${gateway.url()}.`)
  const openapi = await gateway.run('openapi', '--url', secure)
  expect(openapi.told).toContain('the port answers without TLS, so use http://')
  expect(`${usage.told}${openapi.told}`).not.toMatch(/EPROTO|SSL routines/)
})

test('a truncated key is explained without the header of the request', async () => {
  const env = { ...gateway.env(), PURSER_API_KEY: gateway.acme().apiKey.slice(0, -3) }
  const { told, exited } = await callPurser(['usage'], env)
  expect(await exited()).toBe(1)
  expect(told.join()).toMatch(/^purser: The API key is mistyped or truncated\. Set PURSER_API_KEY/)
})
