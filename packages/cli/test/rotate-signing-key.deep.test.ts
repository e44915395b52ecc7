import { expect, test } from 'vitest'
import { describeOnPostgres } from '../../server/test/support/database.ts'
import { aroundInstallation } from './support/installation.ts'

describeOnPostgres('purser rotate-signing-key', () => {
  const purser = aroundInstallation()

  test('says when the new key starts to sign, and refuses a second rotation until then', async () => {
    const first = await purser.process(['rotate-signing-key'])
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(
      /^Published the key \S{43}; it signs from 20\S+Z\.\nThe previous key stays published until 20\S+Z\.$/m,
    )
    const second = await purser(['rotate-signing-key'])
    expect(second.code).toBe(1)
    expect(second.stderr).toContain('Nothing was changed')
  })

  test('prints JSON with --json', async () => {
    const { code, stdout } = await purser(['rotate-signing-key', '--json'])
    expect(code).toBe(0)
    const at = expect.stringMatching(/^20\S+Z$/)
    expect(JSON.parse(stdout)).toEqual({
      kid: expect.stringMatching(/^\S{43}$/),
      signsFrom: at,
      publishedUntil: at,
    })
  })
})
