import { expect, test } from 'vitest'
import { describeOnPostgres } from '../../server/test/support/database.ts'
import { aroundInstallation } from './support/installation.ts'

describeOnPostgres('purser rotate-log-key', () => {
  const purser = aroundInstallation()

  test('creates a second key, and says how long both sign', async () => {
    const { code, stdout } = await purser.process(['rotate-log-key'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^A new key signs the audit logs\. The previous key also signs until 20\S+Z\.$/m,
    )
    const keys = await purser.rows(
      `select name from installation_secrets where name like 'audit-log-key:%'`,
    )
    expect(keys).toHaveLength(2)
  })

  test('prints JSON with --json', async () => {
    const { code, stdout } = await purser(['rotate-log-key', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ alsoUntil: expect.stringMatching(/^20\S+Z$/) })
  })
})
