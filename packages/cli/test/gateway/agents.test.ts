import { afterEach, expect, test } from 'vitest'
import { anActiveMandate } from '../../../server/test/support/builders.ts'
import { shareGateway } from '../support/gateway.ts'
import { killPursers, startPurser } from '../support/purser.ts'

const gateway = shareGateway()
afterEach(() => killPursers())

test('purser agents creates, lists, shows, pauses and resumes an agent', async () => {
  const empty = await gateway.run('agents', 'list', '--tag', 'none')
  expect(empty).toEqual({ code: 0, out: '', told: 'No agents.' })
  const create = ['agents', 'create', '--name', 'Buyer', '--external-id', 'buyer-1']
  const made = await gateway.json(...create, '--tags', 'prod', 'eu')
  expect(made).toMatchObject({ name: 'Buyer', externalId: 'buyer-1', tags: ['prod', 'eu'] })
  await anActiveMandate(gateway.acme(), { agentId: made.id, budgetTotal: 70 })

  const listed = await startPurser(['agents', 'list', '--tag', 'eu'], gateway.env())
  expect(await listed.exited()).toBe(0)
  expect(listed.lines[0]).toMatch(/^ID +STATUS +NAME +EXTERNAL ID +LAST SEEN$/)
  expect(listed.lines[1]).toMatch(new RegExp(`^${made.id} +active +Buyer +buyer-1 +never$`))

  const shown = await gateway.run('agents', 'show', 'buyer-1')
  expect(shown.out).toMatch(/^budget +70\.00 USD$/m)
  const paused = await gateway.run('agents', 'pause', 'buyer-1', '--reason', 'Review')
  expect(paused.out).toMatch(/^status +paused$/m)
  expect(await gateway.json('agents', 'resume', made.id)).toMatchObject({ status: 'active' })
  expect(await gateway.json('agents', 'list')).toMatchObject({ data: [{ id: made.id }], total: 1 })
})

test('purser agents pages through a list', async () => {
  for (const name of ['One', 'Two']) await gateway.run('agents', 'create', '--name', name)
  const first = await gateway.run('agents', 'list', '--limit', '1')
  const [, cursor = ''] = /--cursor (\S+)$/.exec(first.told) ?? []
  expect(cursor).not.toBe('')
  const second = await gateway.json('agents', 'list', '--limit', '1', '--cursor', cursor)
  expect(first.out).not.toContain(second.data[0].id)
  expect((await gateway.run('agents', 'list', '--limit', '201')).code).toBe(2)
})

test('an answer with control characters cannot write to the terminal', async () => {
  const made = await gateway.json('agents', 'create', '--name', 'Bad', '--description', 'a\tb')
  const shown = await gateway.run('agents', 'show', made.id)
  expect(shown.out).toMatch(/^description +a\?b$/m)
})
