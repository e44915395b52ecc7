import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createEmptyPostgresDatabase,
  createTemporaryFolder,
  describeOnPostgres,
  type TestDatabase,
} from '../../packages/server/test/support/database.ts'
import {
  type GatewayProcess,
  startGatewayProcess,
} from '../../packages/server/test/support/gateway-process.ts'
import { findPrometheusProgram } from '../../packages/server/test/support/prometheus.ts'
import { DEPLOY, environmentOf, readDeploy } from './support/deploy-files.ts'
import { findProgram } from './support/find-program.ts'

const SECRETS = [
  'gateway/master-key',
  'gateway/database-url',
  'database/password',
  'grafana/password',
]

const systemd = findProgram('systemd-analyze')
const compose = findProgram('docker-compose')
const promtool = findPrometheusProgram('promtool')

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeEach(async () => {
  folder = await createTemporaryFolder()
  return () => folder.remove()
})

describe.skipIf(systemd === undefined)('systemd', () => {
  test('accepts the unit', () => {
    const unit = join(folder.path, 'purser.service')
    // It looks for the program, which is not installed here.
    const text = readDeploy('systemd/purser.service')
    writeFileSync(unit, text.replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath} serve`))
    expect(run(systemd, 'verify', unit)).toEqual({ status: 0, output: '' })
  })

  test('finds the unit well protected: 1.5 of 10 points at most', () => {
    const unit = join(DEPLOY, 'systemd/purser.service')
    const { status, output } = run(systemd, 'security', '--offline=yes', '--threshold=15', unit)
    expect(output).toContain('Overall exposure level')
    expect(status, output).toBe(0)
  })
})

test.skipIf(compose === undefined)('docker-compose accepts the file', () => {
  const file = join(DEPLOY, 'compose/compose.yml')
  expect(run(compose, '--file', file, 'config', '--quiet')).toEqual({ status: 0, output: '' })
})

test.skipIf(promtool === undefined)('promtool accepts the configuration of compose', () => {
  writeFileSync(join(folder.path, 'prometheus.yml'), readDeploy('compose/prometheus.yml'))
  writeFileSync(join(folder.path, 'alerts.yml'), readDeploy('prometheus/alerts.yml'))
  const { status, output } = run(promtool, 'check', 'config', join(folder.path, 'prometheus.yml'))
  expect(status, output).toBe(0)
})

describe('the first start of the compose file', () => {
  test('makes each secret once, and only its user can read those of the gateway', () => {
    const before = makeSecrets(folder.path)
    const after = makeSecrets(folder.path)
    expect(after).toEqual(before)
    expect(new Set(Object.values(before)).size).toBe(SECRETS.length)
    expect(before['gateway/database-url']).toContain(`:${before['database/password']}@database:`)
    const modes = SECRETS.map((name) => statSync(join(folder.path, name)).mode & 0o777)
    expect(modes).toEqual([0o400, 0o400, 0o400, 0o444])
  })

  test('makes the rest after it was interrupted', () => {
    const before = makeSecrets(folder.path)
    run('rm', '-f', join(folder.path, 'gateway/database-url'))
    writeFileSync(join(folder.path, 'gateway/database-url.new'), 'half a sec')
    expect(makeSecrets(folder.path)).toEqual(before)
  })
})

describeOnPostgres('a gateway with the environment of the compose file', () => {
  let place: Awaited<ReturnType<typeof createTemporaryFolder>>
  let database: TestDatabase
  let gateway: GatewayProcess

  beforeAll(async () => {
    place = await createTemporaryFolder()
    database = await createEmptyPostgresDatabase()
    makeSecrets(place.path)
    // The server of the tests is not called `database`.
    const url = join(place.path, 'database-url')
    writeFileSync(url, database.url)
    gateway = await startGatewayProcess({
      ...environmentOf('purser'),
      PURSER_MASTER_KEY: '',
      PURSER_MASTER_KEY_FILE: join(place.path, 'gateway/master-key'),
      DATABASE_URL_FILE: url,
      PURSER_DATA_DIR: join(place.path, 'data'),
      PURSER_METRICS_PORT: '0',
      PURSER_METRICS_HOST: '127.0.0.1',
    })
  })
  afterAll(async () => {
    await gateway?.stop()
    await database?.drop()
    await place?.remove()
  })

  test('has an organization and a live key, and is healthy', async () => {
    const key = readFileSync(join(place.path, 'data/initial-api-key'), 'utf8').trim()
    expect(key).toMatch(/^psr_live_/)
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${gateway.url}/api/v1/organization`, { headers })
    expect(await answer.json()).toMatchObject({ name: 'My organization' })
    expect(checkHealth(new URL(gateway.url).port)).toEqual({ status: 0, output: '' })
  })

  test('is not healthy for the image if nothing answers', () => {
    expect(checkHealth('1')).toMatchObject({ status: 1 })
  })
})

function makeSecrets(path: string): Record<string, string> {
  for (const name of ['gateway', 'database', 'grafana']) {
    mkdirSync(join(path, name), { recursive: true })
  }
  const { status, output } = run(process.execPath, script('make-secrets.mjs'), path)
  expect(status, output).toBe(0)
  return Object.fromEntries(SECRETS.map((name) => [name, readFileSync(join(path, name), 'utf8')]))
}

function checkHealth(port: string) {
  const env = { ...process.env, PURSER_PORT: port }
  const { status, stdout, stderr } = spawnSync(process.execPath, [script('healthcheck.mjs')], {
    env,
    encoding: 'utf8',
  })
  return { status, output: `${stdout}${stderr}` }
}

function script(name: string): string {
  return resolve(DEPLOY, 'docker', name)
}

function run(program: string | undefined, ...parameters: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program ?? '', parameters, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}
