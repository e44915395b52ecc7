import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PLANS } from '../../server/src/core/plan.ts'
import { copyEmbeddedTemplate, createTemporaryFolder } from '../../server/test/support/database.ts'
import { PLAN_NAMES } from '../src/commands/orgs.ts'
import { killPursers, startPurser } from './support/purser.ts'

let dataDir: string
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>

beforeAll(async () => {
  folder = await createTemporaryFolder()
  dataDir = join(folder.path, 'data')
  // The smoke test of the start begins with an empty folder.
  copyEmbeddedTemplate(dataDir)
})
afterEach(killPursers)
afterAll(() => folder.remove())

async function purser(
  args: readonly string[],
  env: Readonly<Record<string, string>> = { PURSER_DATA_DIR: dataDir },
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const process = await startPurser(args, env)
  const code = await process.exited()
  return { code, stdout: process.lines.join('\n'), stderr: process.told.join('\n') }
}

describe('purser orgs plan', () => {
  test('moves an organization to another plan, and says so', async () => {
    const made = await purser(['init', '--org', 'Acme', '--json'])
    const { organizationId } = JSON.parse(made.stdout)
    const { code, stdout } = await purser(['orgs', 'plan', organizationId, 'free'])
    expect([code, stdout]).toEqual([0, `${organizationId} is on the plan free.`])
  })

  test('exits with 1 and a sentence when there is no such organization', async () => {
    const { code, stderr } = await purser(['orgs', 'plan', `org_${'0'.repeat(32)}`, 'pro'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no organization org_0')])
  })

  test('exits with 2 and the plans when there is no such plan', async () => {
    const { code, stderr } = await purser(['orgs', 'plan', 'org_1', 'gold'])
    expect([code, stderr]).toEqual([2, expect.stringContaining(PLAN_NAMES.join(', '))])
    expect(Object.keys(PLANS)).toEqual(PLAN_NAMES)
  })
})

describe('purser init', () => {
  test('creates an organization and prints its key as JSON and nothing else', async () => {
    const { code, stdout } = await purser(['init', '--org', 'Acme', '--json'])
    expect(code).toBe(0)
    const { organizationId, apiKey } = JSON.parse(stdout)
    expect(organizationId).toMatch(/^org_[0-9a-f]{32}$/)
    expect(apiKey).toMatch(/^psr_test_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}$/)
  })

  test('keeps the master key readable by its owner alone', async () => {
    const { mode } = await stat(join(dataDir, 'master.key'))
    expect(mode & 0o777).toBe(0o600)
  })

  test('says what is missing and exits with 2 when there is no name', async () => {
    const { code, stderr } = await purser(['init'])
    expect(code).toBe(2)
    expect(stderr).toContain('--org <name>')
  })

  test('refuses a mistyped option with 2 instead of ignoring it', async () => {
    const { code, stderr } = await purser(['init', '--org', 'Acme', '--jsno'])
    expect(code).toBe(2)
    expect(stderr).toContain('--json')
  })

  test('reports every mistake of the configuration at once, without a stack', async () => {
    const { stderr } = await purser(['serve'], { PURSER_PORT: 'x', PURSER_ENV: 'prod' })
    expect(stderr).toContain('PURSER_PORT')
    expect(stderr).toContain('PURSER_ENV')
    expect(stderr).not.toContain('    at ')
  })
})
