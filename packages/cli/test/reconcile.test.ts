import { expect, test } from 'vitest'
import { shareInstallation } from './support/installation.ts'

const { purser, purserProcess } = shareInstallation()

test('purser reconcile exits with 2 and says why nothing can be compared', async () => {
  const none = await purser('reconcile')
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no organization yet')])
  await purser('init', '--org', 'Acme')
  const unsealed = await purserProcess('reconcile')
  expect([unsealed.code, unsealed.stderr]).toEqual([2, expect.stringContaining('no audit log yet')])
  const json = await purser('reconcile', '--json')
  expect(json.code).toBe(2)
  expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'undecided', counts: { leaves: 0 } })
  const help = await purser('reconcile', '--help')
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('Exit codes')])
})
