import { expect, test } from 'vitest'
import { shareInstallation } from './support/installation.ts'

const { purser, purserProcess } = shareInstallation()

test('purser changes list shows who changed what, newest first', async () => {
  const made = JSON.parse((await purser('init', '--org', 'Acme', '--json')).stdout)
  const kept = JSON.parse((await purserProcess('changes', 'list', '--json')).stdout)
  expect(kept).toMatchObject([
    { operation: 'api_key.created', actor: 'cli', actorName: null, after: { name: 'First key' } },
    { operation: 'organization.created', subjectId: made.organizationId, before: null },
  ])
  const { stdout } = await purser('changes', 'list', '--limit', '1')
  expect(stdout).toMatch(/^\S+Z api_key\.created key_[0-9a-f]{32} by cli$/)
})
