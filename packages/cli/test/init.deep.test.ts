import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PLANS } from '../../server/src/core/plan.ts'
import { PLAN_NAMES } from '../src/commands/orgs.ts'
import { callPurser } from './support/in-process.ts'
import { shareEmbedded, shareInstallation } from './support/installation.ts'

const { dataDir, purser, purserProcess } = shareInstallation()

describe('purser orgs plan', () => {
  test('changes the plan of an organization, and says so', async () => {
    const made = await purser('init', '--org', 'Acme', '--json')
    const { organizationId } = JSON.parse(made.stdout)
    const { code, stdout } = await purserProcess('orgs', 'plan', organizationId, 'free')
    expect([code, stdout]).toEqual([0, `${organizationId} is on the plan free.`])
  })

  test('exits with 1 and a sentence when there is no such organization', async () => {
    const { code, stderr } = await purser('orgs', 'plan', `org_${'0'.repeat(32)}`, 'pro')
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no organization org_0')])
  })

  test('exits with 2 and the plans when there is no such plan', async () => {
    const { code, stderr } = await purser('orgs', 'plan', 'org_1', 'gold')
    expect([code, stderr]).toEqual([2, expect.stringContaining(PLAN_NAMES.join(', '))])
    expect(Object.keys(PLANS)).toEqual(PLAN_NAMES)
  })
})

describe('purser init', () => {
  test('creates an organization and prints its key as JSON and nothing else', async () => {
    const { code, stdout } = await purserProcess('init', '--org', 'Acme', '--json')
    expect(code).toBe(0)
    const { organizationId, apiKey } = JSON.parse(stdout)
    expect(organizationId).toMatch(/^org_[0-9a-f]{32}$/)
    expect(apiKey).toMatch(/^psr_test_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}$/)
  })

  test('keeps the master key readable by its owner alone', async () => {
    const { mode } = await stat(join(dataDir(), 'master.key'))
    expect(mode & 0o777).toBe(0o600)
  })

  test('reports every mistake of the configuration at once, without a stack', async () => {
    const { told } = await callPurser(['serve'], { PURSER_PORT: 'x', PURSER_ENV: 'prod' })
    const stderr = told.join('\n')
    expect(stderr).toContain('PURSER_PORT')
    expect(stderr).toContain('PURSER_ENV')
    expect(stderr).not.toContain('    at ')
  })
})

describe('purser init on the embedded engine', () => {
  const embedded = shareEmbedded()

  test('creates an organization that purser orgs list finds', async () => {
    const made = JSON.parse(
      (await embedded.purserProcess('init', '--org', 'Acme', '--json')).stdout,
    )
    const listed = await embedded.purserProcess('orgs', 'list', '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject([{ organizationId: made.organizationId }])
  })
})
