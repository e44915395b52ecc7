import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { waitUntil } from '../../server/test/support/wait-until.ts'
import { shareInstallation } from './support/installation.ts'
import { type Purser, startPurser } from './support/purser.ts'

const { dataDir, purser, purserProcess, settings } = shareInstallation()

async function serve(): Promise<{ readonly url: string; readonly process: Purser }> {
  const env = { ...settings(), PURSER_PORT: '0', PURSER_DRAIN_SECONDS: '0' }
  const process = await startPurser(['serve'], env)
  const line = () => process.lines.find((one) => one.includes('Purser listens on '))
  await waitUntil(() => line() !== undefined)
  return { url: line()?.split(' ')[3] ?? '', process }
}

const post = (url: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const PASSWORD = 'a long enough password'
const TOKEN = /^[\w-]{43}$/

describe('people', () => {
  test('begin with the first owner, whose setup token a start stores in a file until it is used', async () => {
    const file = join(dataDir(), 'setup-token')
    const first = await serve()
    const token = (await readFile(file, 'utf8')).trim()
    expect(token).toMatch(TOKEN)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await first.process.interrupt()

    const second = await serve()
    expect((await readFile(file, 'utf8')).trim()).toBe(token)
    expect(second.process.lines.join('\n')).toContain(`the token from ${file}`)
    const body = { token, email: 'ada@example.com', name: 'Ada', password: PASSWORD }
    const answer = await post(`${second.url}/console/api/setup`, body)
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { member: { email: 'ada@example.com', name: 'Ada', role: 'owner' } },
    ])
    expect((await post(`${second.url}/console/api/setup`, body)).status).toBe(410)
    await second.process.interrupt()

    const third = await serve()
    expect(third.process.lines.join('\n')).not.toContain('setup-token')
    await third.process.interrupt()
  })

  test('are invited, listed, given a reset link and removed by the operator', async () => {
    const invited = await purserProcess(
      'members',
      'invite',
      'bob@example.com',
      '--role',
      'approver',
      '--json',
    )
    expect(JSON.parse(invited.stdout)).toMatchObject({ email: 'bob@example.com', role: 'approver' })
    const { token } = JSON.parse(invited.stdout)
    const { url, process } = await serve()
    expect((await post(`${url}/console/api/accept`, { token, password: PASSWORD })).status).toBe(
      200,
    )
    await process.interrupt()

    const listed = await purser('members', 'list')
    expect(listed.stdout.split('\n')).toEqual([
      expect.stringMatching(/^mem_[0-9a-f]{32} {2}approver {2}bob@example.com {2}bob@example.com$/),
      expect.stringMatching(/^mem_[0-9a-f]{32} {2}owner {5}ada@example.com {2}Ada$/),
    ])
    const reset = await purser('members', 'reset-link', 'Bob@example.com')
    expect(reset.stdout).toMatch(/token {6}[\w-]{43}\n/)
    expect(reset.stdout).toContain('sends it with the token')
    const removed = await purser('members', 'remove', 'bob@example.com', '--json')
    expect([removed.code, JSON.parse(removed.stdout)]).toEqual([0, { email: 'bob@example.com' }])
    expect(JSON.parse((await purser('members', 'list', '--json')).stdout)).toHaveLength(1)
    const last = await purser('members', 'remove', 'ada@example.com')
    expect([last.code, last.stderr]).toEqual([1, expect.stringContaining('the last owner')])
  })

  test.each([
    [['invite', 'ada@example.com'], 'has a member with this address'],
    [['remove', 'nobody@example.com'], 'There is no member nobody@example.com'],
  ])('are left unchanged by %j', async (args, sentence) => {
    const { code, stderr } = await purser('members', ...args)
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
  })
})
