import { expect, test } from 'vitest'
import { describeOnPostgres } from '../../server/test/support/database.ts'
import { aroundInstallation } from './support/installation.ts'

const SMTP = {
  PURSER_SMTP_URL: 'smtp://127.0.0.1:1',
  PURSER_MAIL_FROM: 'purser@example.com',
  PURSER_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
}

describeOnPostgres('purser members invite', () => {
  const purser = aroundInstallation()
  const invite = (more: readonly string[] = [], env = {}) =>
    purser(['members', 'invite', 'bob@example.com', ...more], { ...SMTP, ...env })

  test('queues a mail where an SMTP server is set, says so, and prints the token in any case', async () => {
    await purser(['init', '--org', 'Acme'], SMTP)
    const text = (await invite()).stdout
    expect(text).toContain(
      'A running gateway mails the invitation with its link to bob@example.com',
    )
    expect(text).toMatch(/token {6}[\w-]{43}\n/)
    expect(JSON.parse((await invite(['--json'])).stdout)).toMatchObject({ mail: 'queued' })
    await invite()
    expect((await invite()).stdout).toContain('The invitation is not mailed')
    const rows = await purser.rows("select address from messages where kind = 'invitation'")
    expect(rows).toEqual(Array(3).fill({ address: 'bob@example.com' }))
  })

  test('queues nothing without an SMTP server', async () => {
    const none = { PURSER_SMTP_URL: '', PURSER_MAIL_FROM: '' }
    await purser(['init', '--org', 'Acme'], { ...SMTP, ...none })
    expect((await invite([], none)).stdout).not.toContain('mails')
    expect(JSON.parse((await invite(['--json'], none)).stdout)).toMatchObject({ mail: 'off' })
    expect(await purser.rows('select 1 from messages')).toEqual([])
  })
})
