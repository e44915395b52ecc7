import { expect, test } from 'vitest'
import { shareInstallation } from './support/installation.ts'

const { purser, purserProcess } = shareInstallation()

test('purser analytics rebuild recounts, and says from how many transactions', async () => {
  const none = await purser('analytics', 'rebuild')
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no organization yet')])
  const made = JSON.parse((await purser('init', '--org', 'Acme', '--json')).stdout)
  expect(await purserProcess('analytics', 'rebuild')).toMatchObject({
    code: 0,
    stdout: `Rebuilt the totals of ${made.organizationId} from 0 transactions.`,
  })
  const again = await purser('analytics', 'rebuild', '--json')
  const { organizationId } = made
  expect(JSON.parse(again.stdout)).toEqual({ organizationId, counted: 0 })
})
