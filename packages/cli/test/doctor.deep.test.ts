import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  copyEmbeddedTemplate,
  createTemporaryFolder,
  describeOnPostgres,
} from '../../server/test/support/database.ts'
import { startGatewayProcess } from '../../server/test/support/gateway-process.ts'
import { callPurser } from './support/in-process.ts'
import { aroundInstallation } from './support/installation.ts'

/** No test may call the gateway that a developer runs. */
const NO_PORT = { PURSER_PORT: '0' }

describeOnPostgres('purser doctor', () => {
  const purser = aroundInstallation()

  test('prints one line for each check, and exits with 0 if there are only warnings', async () => {
    const { code, stdout } = await purser.process(['doctor'], NO_PORT)
    expect(code).toBe(0)
    const checks = stdout.split('\n').filter((line) => !line.startsWith(' '))
    for (const line of checks) expect(line).toMatch(/^(ok {2}|warn) {2}\S/)
    expect(stdout).toMatch(/^ok {4}migrations +All \d+ migrations are applied\.$/m)
    expect(stdout).toMatch(/^warn {2}backups .*\n +→ Run purser backup/m)
  })

  test('prints an object with --json', async () => {
    const { stdout } = await purser(['doctor', '--json'], NO_PORT)
    const { status, checks } = JSON.parse(stdout)
    expect(status).toBe('warn')
    expect(checks).toContainEqual({
      ...{ name: 'settings', status: 'ok', text: 'Every setting is valid.', action: null },
    })
  })

  test('changes nothing', async () => {
    await purser.rows('delete from schema_migrations')
    await purser(['doctor'], NO_PORT)
    expect(await purser.rows('select 1 from schema_migrations')).toEqual([])
    expect(await purser.rows('select 1 from installation')).toEqual([])
  })

  test('exits with 1 if a check fails', async () => {
    await purser.rows(
      `insert into schema_migrations (id, name, checksum, applied_at) values (9999, 'x', 'y', now())`,
    )
    const { code, stdout } = await purser(['doctor'], NO_PORT)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^fail {2}migrations +The database is ahead of this program/m)
  })
})

test('purser doctor names the mistakes in the settings, and exits with 1', async () => {
  const { lines, exited } = await callPurser(['doctor'], { PURSER_PORT: 'x' })
  expect(await exited()).toBe(1)
  expect(lines.join('\n')).toMatch(/^fail {2}settings .*PURSER_PORT must be/m)
})

test('purser doctor creates no database', async () => {
  const folder = await createTemporaryFolder()
  try {
    const { lines, exited } = await callPurser(['doctor'], {
      ...{ PURSER_DATA_DIR: folder.path, ...NO_PORT },
    })
    expect(await exited()).toBe(0)
    expect(lines.join('\n')).toMatch(/^warn {2}engine .*has no database yet/m)
  } finally {
    await folder.remove()
  }
})

test('purser doctor asks the gateway that has the embedded database open', async () => {
  const folder = await createTemporaryFolder()
  const dataDir = join(folder.path, 'data')
  copyEmbeddedTemplate(dataDir)
  const gateway = await startGatewayProcess({ PURSER_DATA_DIR: dataDir, PURSER_CONSOLE: 'off' })
  try {
    const key = Buffer.alloc(32, 7).toString('base64')
    const { lines, exited } = await callPurser(['doctor'], {
      ...{ PURSER_DATA_DIR: dataDir, PURSER_MASTER_KEY: key, ...NO_PORT },
    })
    expect(await exited()).toBe(0)
    expect(lines.join('\n')).toMatch(/^ok {4}engine +The embedded database answers\.$/m)
    expect(lines.join('\n')).toMatch(
      /^ok {4}master key +The master key opens every sealed value that was tried \(\d+\)/m,
    )
  } finally {
    await gateway.stop()
    await folder.remove()
  }
})

test('purser doctor says that the database does not answer', async () => {
  const DATABASE_URL = 'postgres://ada:hunter2@127.0.0.1:1/purser'
  const { lines, exited } = await callPurser(['doctor'], { DATABASE_URL, ...NO_PORT })
  expect(await exited()).toBe(1)
  expect(lines.join('\n')).toMatch(/^fail {2}engine +PostgreSQL cannot be reached/m)
  expect(lines.join('\n')).not.toContain('hunter2')
})
