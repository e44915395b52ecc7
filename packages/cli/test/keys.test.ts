import { describe, expect, test } from 'vitest'
import { shareInstallation } from './support/installation.ts'

const { purser, purserProcess } = shareInstallation()

const KEY = /^psr_test_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}$/

describe('an organization whose key is lost', () => {
  test('is listed by purser orgs list, and gets a new key by purser keys create', async () => {
    const none = await purser('keys', 'create')
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('purser init')])

    const made = JSON.parse((await purser('init', '--org', 'Acme', '--json')).stdout)
    const { stdout } = await purserProcess('keys', 'create', '--json')
    const key = JSON.parse(stdout)
    expect(key).toEqual({
      organizationId: made.organizationId,
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      apiKey: expect.stringMatching(KEY),
    })
    expect(key.apiKey).not.toBe(made.apiKey)

    const other = JSON.parse((await purser('init', '--org', 'Globex', '--json')).stdout)
    const several = await purser('keys', 'create')
    expect([several.code, several.stderr]).toEqual([1, expect.stringContaining('orgs list')])

    const listed = await purserProcess('orgs', 'list', '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { organizationId: made.organizationId, name: 'Acme', plan: 'self_hosted' },
      { organizationId: other.organizationId, name: 'Globex' },
    ])
    const shown = await purser('orgs', 'list')
    expect(shown.stdout.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^${made.organizationId}  .*  self_hosted  Acme$`)),
      expect.stringMatching(new RegExp(`^${other.organizationId}  .*  self_hosted  Globex$`)),
    ])

    const { organizationId } = other
    const changed = await purser('orgs', 'plan', organizationId, 'pro', '--json')
    expect(JSON.parse(changed.stdout)).toEqual({ organizationId, plan: 'pro' })

    const parameters = ['--org', other.organizationId, '--name', 'Spare', '--scopes', 'keys:read']
    const named = await purser('keys', 'create', ...parameters)
    expect([named.code, named.stdout]).toEqual([0, expect.stringContaining(other.organizationId)])
    expect(named.stdout).toContain('an API key with the scopes keys:read.')
    expect(named.stdout).toMatch(/apiKey {10}psr_test_/)
  })

  test('must exist', async () => {
    const { code, stderr } = await purser('keys', 'create', '--org', `org_${'0'.repeat(32)}`)
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no organization org_0')])
  })
})

describe('a key for the settings of a first start', () => {
  test('is printed and not stored', async () => {
    const { code, stdout } = await purser('keys', 'generate')
    expect([code, stdout.trim()]).toEqual([0, expect.stringMatching(KEY)])
    const live = await purser('keys', 'generate', '--live')
    expect(live.stdout.trim()).toMatch(/^psr_live_/)
    const json = await purser('keys', 'generate', '--json')
    expect(JSON.parse(json.stdout)).toEqual({ apiKey: expect.stringMatching(KEY) })
  })
})
