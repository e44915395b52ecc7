import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const MAIN = resolve(import.meta.dirname, '../src/main.ts')
const TSX = resolve(import.meta.dirname, '../../../node_modules/.bin/tsx')

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function purser(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, PURSER_DATA_DIR: join(folder, 'data') }
  return run(TSX, ['--conditions=source', MAIN, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

describe('purser init', () => {
  test('creates an organization and prints its key as JSON and nothing else', async () => {
    const { code, stdout } = await purser('init', '--org', 'Acme', '--json')
    expect(code).toBe(0)
    const { organizationId, apiKey } = JSON.parse(stdout)
    expect(organizationId).toMatch(/^org_[0-9a-f]{32}$/)
    expect(apiKey).toMatch(/^psr_test_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}$/)
  }, 60_000)

  test('keeps the master key readable by its owner alone', async () => {
    const { mode } = await stat(join(folder, 'data', 'master.key'))
    expect(mode & 0o777).toBe(0o600)
  })

  test('says what is missing and exits with 2 when there is no name', async () => {
    const { code, stderr } = await purser('init')
    expect(code).toBe(2)
    expect(stderr).toContain('--org <name>')
  })

  test('refuses a mistyped option with 2 instead of ignoring it', async () => {
    const { code, stderr } = await purser('init', '--org', 'Acme', '--jsno')
    expect(code).toBe(2)
    expect(stderr).toContain('--json')
  })

  test('reports every mistake of the configuration at once, without a stack', async () => {
    const env = { ...process.env, PURSER_PORT: 'x', PURSER_ENV: 'prod' }
    const { stderr } = await run(TSX, ['--conditions=source', MAIN, 'serve'], { env }).catch(
      (error) => error,
    )
    expect(stderr).toContain('PURSER_PORT')
    expect(stderr).toContain('PURSER_ENV')
    expect(stderr).not.toContain('    at ')
  })
})
