import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ANSWER_WITHIN_MS } from '../src/http/answer-time.ts'
import { networkSubject } from '../src/people/sign-in-limits.ts'
import { HEARTBEAT_MS } from '../src/routes/events/stream.ts'
import {
  createTemporaryFolder,
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from './support/database.ts'
import { spawnOnLeash } from './support/leash.ts'
import { killPrograms, type Program, startProgram } from './support/program.ts'
import { type Call, createCall } from './support/proxied-call.ts'
import { sized } from './support/sized.ts'
import { waitUntil } from './support/wait-until.ts'

/*
 * The configurations of docs/guide-operations.md, run by the real programs. Only addresses and file
 * names are replaced.
 */

const GUIDE = new URL('../../../docs/guide-operations.md', import.meta.url)
const FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/usr/local/sbin']
const RETRIES_MAX = 4
/** How often a stream is told that it lives: 90 s in the nightly suite, longer than every limit. */
const HEARTBEATS = sized(0, 6)
const isRequired = process.env['PURSER_REQUIRE_PROXIES'] === '1'

function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

interface Place {
  readonly folder: string
  readonly port: number
}

interface Proxy {
  readonly name: string
  /** The first line of its configuration in the guide. */
  readonly begin: string
  readonly scheme: 'http' | 'https'
  /** Finds the seconds of silence after which it gives up on a gateway. */
  readonly limit: RegExp
  /** Writes the files, and returns the arguments of the program. */
  prepare(config: string, place: Place): Promise<readonly string[]>
}

const NGINX: Proxy = {
  name: 'nginx',
  begin: 'upstream purser {',
  scheme: 'https',
  limit: /proxy_read_timeout (\d+)s;/,
  async prepare(config, { folder, port }) {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const kind = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'
    const files = ['-subj', '/CN=gateway.example', '-keyout', key, '-out', cert]
    execFileSync('openssl', [...kind.split(' '), ...files], { stdio: 'pipe' })
    const site = config
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('/etc/ssl/gateway.example.pem', cert)
      .replace('/etc/ssl/gateway.example.key', key)
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const temporary = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join('\n')
    const main = [
      `daemon off; pid ${join(folder, 'pid')}; worker_processes 1;`,
      `error_log ${join(folder, 'error.log')}; events {}`,
      `http { access_log off; ${temporary}\n${site} }`,
    ]
    const path = join(folder, 'nginx.conf')
    await writeFile(path, main.join('\n'))
    return ['-c', path, '-p', folder, '-e', join(folder, 'error.log')]
  },
}

const CADDY: Proxy = {
  name: 'caddy',
  begin: 'gateway.example {',
  scheme: 'http',
  limit: /response_header_timeout (\d+)s$/m,
  async prepare(config, { folder, port }) {
    // A certificate for a public name cannot be obtained here.
    const site = config.replace('gateway.example {', `http://127.0.0.1:${port} {`)
    const path = join(folder, 'Caddyfile')
    await writeFile(path, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
    return ['run', '--config', path, '--adapter', 'caddyfile']
  },
}

for (const proxy of [NGINX, CADDY]) {
  describeProxy(proxy, findProgram(proxy.name))

  test(`${proxy.name} waits longer than the gateway is ever silent`, async () => {
    const [, seconds] = (await readConfigOf(proxy)).match(proxy.limit) ?? []
    expect(Number(seconds) * 1_000).toBeGreaterThan(Math.max(ANSWER_WITHIN_MS, HEARTBEAT_MS))
    const promise = `answers every request within ${ANSWER_WITHIN_MS / 1_000} seconds`
    expect(await readFile(GUIDE, 'utf8')).toContain(promise)
  })
}

function describeProxy(proxy: Proxy, program: string | undefined): void {
  const isSkipped = program === undefined && !isRequired
  if (isSkipped) console.warn(`The tests of ${proxy.name} are skipped: it is not installed.`)
  describeOnPostgres(`two gateways behind ${proxy.name}`, () => {
    let database: TestDatabase
    let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
    let gateways: Program[] = []
    let child: ReturnType<typeof spawnOnLeash> | undefined
    let call: Call
    let apiKey = ''
    beforeAll(async () => {
      if (isSkipped) return
      if (program === undefined) throw new Error(`${proxy.name} is not installed.`)
      database = await createTestDatabase('postgres')
      folder = await createTemporaryFolder()
      const env = {
        ...{ PURSER_DATA_DIR: folder.path, DATABASE_URL: database.url, PURSER_INIT_ORG: 'Acme' },
        // Clients of the test have other addresses of the loopback.
        ...{ PURSER_TRUSTED_PROXIES: '127.0.0.1/32', PURSER_DRAIN_SECONDS: '1' },
      }
      gateways = [await startProgram(env), await startProgram(env)]
      const [one = 0, two = 0] = await Promise.all(
        gateways.map(async (gateway) => Number(new URL(await gateway.url()).port)),
      )
      const port = await findFreePort()
      const config = (await readConfigOf(proxy))
        .replace('127.0.0.1:3000', `127.0.0.1:${one}`)
        .replace('127.0.0.1:3001', `127.0.0.1:${two}`)
      const args = await proxy.prepare(config, { folder: folder.path, port })
      child = spawnOnLeash(program, args, { env: { HOME: folder.path, PATH: '/usr/bin:/bin' } })
      child.stdout.resume()
      child.stderr.resume()
      apiKey = (await readFile(join(folder.path, 'initial-api-key'), 'utf8')).trim()
      call = createCall(`${proxy.scheme}://127.0.0.1:${port}`, apiKey)
      await waitUntil(async () =>
        call('GET', '/readyz').then(
          ({ status }) => status === 200,
          () => false,
        ),
      )
    })
    afterAll(async () => {
      const ended = child && new Promise((resolve) => child?.once('close', resolve))
      child?.kill('SIGTERM')
      await ended
      await killPrograms()
      await database?.drop()
      await folder?.remove()
    })
    const streams: { close(): void }[] = []
    afterEach(() => {
      for (const stream of streams.splice(0)) stream.close()
    })

    test.skipIf(isSkipped)('an event reaches the client while its stream is open', async () => {
      const stream = await call.open('/api/v1/events')
      streams.push(stream)
      expect(stream.status).toBe(200)
      await makeSpend(call)
      await waitUntil(() => stream.text().includes('event: transaction.approved'))
    })

    test.skipIf(isSkipped)('the gateway sees the client, whatever address it claims', async () => {
      const body = { email: 'nobody@example.com', password: 'wrong password' }
      const options = { from: '127.0.2.2', headers: { 'x-forwarded-for': '203.0.113.9' } }
      const { status } = await call('POST', '/console/api/sign-in', body, options)
      expect(status).toBe(401)
      const rows = await database.db.query<{ subject: string }>({
        text: 'select subject from sign_in_attempts',
      })
      const subjects = rows.map(({ subject }) => subject)
      expect(subjects).toContain(networkSubject('127.0.2.2'))
      expect(subjects).not.toContain(networkSubject('203.0.113.9'))
      expect(subjects).not.toContain(networkSubject('127.0.0.1'))
    })

    test.skipIf(isSkipped)('requests go on while one gateway stops', async () => {
      const [first] = gateways
      const { spend } = await makeSpend(call)
      let isGone = false
      const exited = first?.exited().then(() => {
        isGone = true
      })
      first?.signal('SIGTERM')
      let left = 20
      for (let number = 0; left > 0; number += 1) {
        const headers = { 'idempotency-key': `drain-${number}` }
        const send = () => call('POST', '/api/v1/gateway/evaluate', spend, { headers })
        // A proxy may have sent a request on a connection that was just closed. Then it returns 502,
        // and the client retries with the same key. It keeps several connections.
        let answer = await send()
        for (let retries = 0; answer.status === 502 && retries < RETRIES_MAX; retries += 1) {
          answer = await send()
        }
        expect(answer.status).toBe(200)
        if (isGone) left -= 1
      }
      await exited
    })

    // It comes last: the connections that it leaves to a gateway would break when that one stops.
    test.skipIf(isSkipped || HEARTBEATS === 0)(
      'the longest answer arrives, and a quiet stream stays open past every limit',
      async () => {
        const { spend, answer } = await makeSpend(call, [{ type: 'approval', above: 0.5 }])
        const stream = await call.open('/api/v1/events')
        streams.push(stream)
        const beganAt = performance.now()
        const { id } = answer.evaluationDetails.approval
        const waited = await call('GET', `/api/v1/approvals/${id}?wait=60`)
        expect([waited.status, JSON.parse(waited.text).status]).toEqual([200, 'pending'])
        expect(performance.now() - beganAt).toBeGreaterThan(ANSWER_WITHIN_MS - 1_000)
        await waitUntil(() => stream.text().split(': still here').length > HEARTBEATS)
        expect(stream.text()).not.toContain('event: ')
        await call('POST', '/api/v1/gateway/evaluate', { ...spend, amount: 2 })
        await waitUntil(() => stream.text().includes('event: transaction.rejected'))
      },
    )
  })
}

/** The block of the guide that begins with the first line of the configuration. */
async function readConfigOf({ begin }: Proxy): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8')
  const blocks = [...guide.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  const block = blocks.find((text) => text.startsWith(begin))
  if (block === undefined) throw new Error(`The guide has no block that begins with ${begin}`)
  return block
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Creates an agent with a mandate of these rules, and makes one spend. */
async function makeSpend(call: Call, rules: readonly object[] = []) {
  const agent = JSON.parse((await call('POST', '/api/v1/agents', { name: 'Buyer' })).text)
  const terms = { agentId: agent.id, budgetTotal: 100_000, budgetPeriod: 'monthly', rules }
  const mandate = JSON.parse((await call('POST', '/api/v1/mandates', terms)).text)
  await call('POST', `/api/v1/mandates/${mandate.id}/activate`)
  const spend = { agentId: agent.id, amount: 1, vendor: 'a.com', category: 'llm' }
  const { status, text } = await call('POST', '/api/v1/gateway/evaluate', spend)
  expect(status).toBe(200)
  return { spend, answer: JSON.parse(text) }
}
