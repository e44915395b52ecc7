import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/process/config.ts'
import { type RunningServer, startServer } from '../../src/process/server.ts'
import {
  copyEmbeddedTemplate,
  createTemporaryFolder,
  createTestDatabase,
  type TestDatabase,
  usualEngine,
} from '../support/database.ts'
import { spawnOnLeash } from '../support/leash.ts'
import { findPrometheusProgram } from '../support/prometheus.ts'
import { waitUntil } from '../support/wait-until.ts'

const DEPLOY = resolve(import.meta.dirname, '../../../../deploy/prometheus')
const program = findPrometheusProgram('prometheus')

interface Result {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

describe.skipIf(program === undefined)('a real Prometheus', () => {
  let database: TestDatabase | undefined
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let gateway: RunningServer
  let prometheus: ReturnType<typeof spawnOnLeash>
  let address = ''

  beforeAll(async () => {
    folder = await createTemporaryFolder()
    if (usualEngine() === 'postgres') database = await createTestDatabase('postgres')
    else copyEmbeddedTemplate(folder.path)
    const env = {
      PURSER_PORT: '0',
      PURSER_METRICS_PORT: '0',
      PURSER_LOG_LEVEL: 'fatal',
      PURSER_DATA_DIR: folder.path,
      ...(database && { DATABASE_URL: database.url }),
    }
    gateway = await startServer(readConfig(env))
    const config = (await readFile(join(DEPLOY, 'prometheus.yml'), 'utf8'))
      .replace('127.0.0.1:9464', new URL(gateway.metricsUrl ?? '').host)
      .replaceAll('15s', '1s')
    await writeFile(join(folder.path, 'prometheus.yml'), config)
    await writeFile(join(folder.path, 'alerts.yml'), await readFile(join(DEPLOY, 'alerts.yml')))
    prometheus = spawnOnLeash(program ?? '', [
      `--config.file=${join(folder.path, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder.path, 'prometheus')}`,
      '--web.listen-address=127.0.0.1:0',
    ])
    prometheus.stdout.resume()
    // Port 0 takes a free port, and the log names it. The log must be read on: a closed pipe would end
    // the program.
    let said = ''
    prometheus.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (address !== '') return
      said += text
      address = /address=(127\.0\.0\.1:[1-9]\d*)/.exec(said)?.[1] ?? ''
    })
    await waitUntil(() => address !== '')
  })
  afterAll(async () => {
    prometheus?.kill('SIGKILL')
    await gateway?.stop()
    await database?.drop()
    await folder?.remove()
  })

  async function query(expression: string): Promise<readonly Result[]> {
    const url = `http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`
    const answer: { readonly data: { readonly result: readonly Result[] } } = JSON.parse(
      await (await fetch(url)).text(),
    )
    return answer.data.result
  }

  test('scrapes the gateway, and evaluates the alert rules', async () => {
    await fetch(`${gateway.url}/healthz`)
    await waitUntil(async () => {
      const [up] = await query('up{job="purser"}').catch(() => [])
      const [health] = await query('purser_api_requests_total{route="GET /healthz"}').catch(
        () => [],
      )
      return up?.value[1] === '1' && health?.value[1] === '1'
    })
    const [info] = await query('purser_build_info')
    expect(info?.metric['engine']).toBe(usualEngine())
    await waitUntil(async () => {
      const text = await (await fetch(`http://${address}/api/v1/rules`)).text()
      const health = [...text.matchAll(/"health":"(\w+)"/g)].map(([, state]) => state)
      return health.length >= 14 && health.every((state) => state === 'ok')
    })
  })
})
