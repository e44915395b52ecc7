import { expect, test } from 'vitest'
import { describeOnPostgres } from '../../server/test/support/database.ts'
import { aroundInstallation } from './support/installation.ts'

const OLD = Buffer.alloc(32, 1).toString('base64')
const NEW = Buffer.alloc(32, 2).toString('base64')

describeOnPostgres('purser rotate-master-key', () => {
  const purser = aroundInstallation()

  test('says what to restart and when, and finishes with --finish', async () => {
    const made = await purser(['init', '--org', 'Acme', '--json'], { PURSER_MASTER_KEY: OLD })
    expect(made.code).toBe(0)
    const both = { PURSER_MASTER_KEY: NEW, PURSER_MASTER_KEY_PREVIOUS: OLD }
    const begun = await purser.process(['rotate-master-key'], both)
    expect(begun.code).toBe(0)
    expect(begun.stdout).toContain('1 value was re-encrypted with the new master key.')
    expect(begun.stdout).toMatch(/Restart all of them with both keys set/)
    const finished = await purser(['rotate-master-key', '--finish'], both)
    expect(finished.stdout).toContain('PURSER_MASTER_KEY_PREVIOUS is no longer needed')
    const repeated = await purser(['rotate-master-key', '--finish', '--json'], both)
    expect(JSON.parse(repeated.stdout)).toEqual({
      resealed: 0,
      isFinished: true,
      retiredFile: null,
    })
    const alone = await purser(['init', '--org', 'Other', '--json'], { PURSER_MASTER_KEY: NEW })
    expect(alone.code).toBe(0)
  })

  test('says which keys to set, and exits with 1', async () => {
    await purser(['init', '--org', 'Acme', '--json'], { PURSER_MASTER_KEY: OLD })
    const { code, stderr } = await purser(['rotate-master-key'], { PURSER_MASTER_KEY: OLD })
    expect([code, stderr]).toEqual([1, expect.stringContaining('PURSER_MASTER_KEY_PREVIOUS')])
    expect(stderr).not.toContain(OLD)
  })
})
