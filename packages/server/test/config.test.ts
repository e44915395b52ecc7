import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PACKAGE_FOLDER } from '../src/base/package-folder.ts'
import type { PaymentPath } from '../src/paths/path.ts'
import { readConfig } from '../src/process/config.ts'

const KEY = Buffer.alloc(32, 9)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-config-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function aFile(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

function mistakesOf(env: Record<string, string>, paths?: readonly PaymentPath[]): string {
  try {
    readConfig(env, paths && { paths })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'none'
}

/** What each path does with its settings. */
const FUNCTIONS = { examine: expect.any(Function), open: expect.any(Function) }

describe('the configuration', () => {
  test('has a default for everything in development', () => {
    expect(readConfig({})).toEqual({
      environment: 'development',
      http: { host: '127.0.0.1', port: 3000, drainMs: 5_000 },
      consoleFolder: join(PACKAGE_FOLDER, 'console'),
      trustedProxies: [],
      storage: {
        dataDir: resolve('.purser'),
        databaseUrl: undefined,
        freeBytesMin: 256 * 1024 * 1024,
      },
      log: { level: 'info', isProse: false, tellsDecisions: false },
      outbound: { allowLoopback: true, allowedNetworks: [] },
      webhooks: { retryDelaysMs: [5_000, 30_000, 180_000, 1_080_000] },
      limits: {
        inFlight: { perOrganization: 1_024, perKey: 512 },
        requestsPerMinute: null,
        batchSizeMax: 256,
      },
      paths: [
        { name: 'evaluate', settings: undefined, ...FUNCTIONS },
        {
          name: 'x402',
          settings: { networks: [] },
          sealed: expect.any(Array),
          ...FUNCTIONS,
        },
        {
          name: 'acp',
          settings: { stripeVersion: '2026-07-29.preview' },
          refusals: expect.any(Map),
          sealed: expect.any(Array),
          ...FUNCTIONS,
        },
        {
          name: 'card',
          settings: undefined,
          sealed: expect.any(Array),
          ...FUNCTIONS,
        },
      ],
      masterKeys: { given: undefined, previous: undefined },
      warnings: [],
      secretFiles: [],
      readInitial: expect.any(Function),
    })
  })

  test('reads the settings of the first start later', () => {
    const env = { PURSER_INIT_ORG: ' Acme ', PURSER_INIT_API_KEY_FILE: '/nowhere' }
    expect(() => readConfig(env).readInitial()).toThrow('PURSER_INIT_API_KEY_FILE names a file')
    expect(readConfig({ PURSER_INIT_ORG: ' Acme ' }).readInitial()).toMatchObject({
      organization: 'Acme',
    })
    expect(readConfig(env).secretFiles).toEqual(['/nowhere'])
  })

  test('takes every value from the environment', () => {
    const rpcUrl = 'https://node.example.com/v2/key'
    const config = readConfig({
      PURSER_ENV: 'production',
      PURSER_HOST: '0.0.0.0',
      PURSER_PORT: '0',
      PURSER_PUBLIC_URL: 'https://Gateway.example:443/',
      PURSER_ACP_STRIPE_VERSION: '2027-01-01.preview',
      PURSER_TRUSTED_PROXIES: '10.20.0.0/16, fd00:12::/32',
      PURSER_DRAIN_SECONDS: '20',
      PURSER_FREE_SPACE_MIN_MB: '1',
      PURSER_DATA_DIR: '/var/lib/purser',
      DATABASE_URL: 'postgresql://purser:secret@db:5432/purser?sslmode=require',
      PURSER_LOG_LEVEL: 'warn',
      PURSER_MASTER_KEY: KEY.toString('base64'),
      PURSER_MASTER_KEY_PREVIOUS: Buffer.alloc(32, 8).toString('hex'),
      PURSER_INIT_ORG: ' Acme ',
      PURSER_ALLOW_LOOPBACK: 'false',
      PURSER_ALLOW_NETWORKS: '10.20.0.0/16, fd00:12::/32',
      PURSER_WEBHOOK_RETRY_DELAYS: '10ms, 2s 3m,1h',
      PURSER_IN_FLIGHT_PER_ORG: '2000',
      PURSER_IN_FLIGHT_PER_KEY: '1000',
      PURSER_REQUESTS_PER_MINUTE: '600',
      PURSER_BATCH_SIZE_MAX: '64',
      PURSER_X402_NETWORKS: `eip155:8453=${rpcUrl} eip155:84532`,
      PURSER_X402_FINALITY: 'finalized',
      PURSER_CONSOLE: 'off',
    })
    expect(config).toEqual({
      consoleFolder: undefined,
      environment: 'production',
      http: { host: '0.0.0.0', port: 0, drainMs: 20_000 },
      publicUrl: 'https://gateway.example',
      trustedProxies: ['10.20.0.0/16', 'fd00:12::/32'],
      storage: {
        dataDir: '/var/lib/purser',
        databaseUrl: 'postgresql://purser:secret@db:5432/purser?sslmode=require',
        freeBytesMin: 1024 * 1024,
      },
      log: { level: 'warn', isProse: false, tellsDecisions: false },
      outbound: { allowLoopback: false, allowedNetworks: ['10.20.0.0/16', 'fd00:12::/32'] },
      webhooks: { retryDelaysMs: [10, 2_000, 180_000, 3_600_000] },
      limits: {
        inFlight: { perOrganization: 2_000, perKey: 1_000 },
        requestsPerMinute: 600,
        batchSizeMax: 64,
      },
      paths: [
        { name: 'evaluate', settings: undefined, ...FUNCTIONS },
        {
          name: 'x402',
          settings: {
            networks: [
              { network: 'eip155:8453', rpcUrl, finality: 'finalized' },
              { network: 'eip155:84532', rpcUrl: undefined, finality: 'finalized' },
            ],
          },
          sealed: expect.any(Array),
          ...FUNCTIONS,
        },
        {
          name: 'acp',
          settings: { stripeVersion: '2027-01-01.preview' },
          refusals: expect.any(Map),
          sealed: expect.any(Array),
          ...FUNCTIONS,
        },
        {
          name: 'card',
          settings: undefined,
          sealed: expect.any(Array),
          ...FUNCTIONS,
        },
      ],
      masterKeys: { given: KEY, previous: Buffer.alloc(32, 8) },
      warnings: [],
      secretFiles: [],
      readInitial: expect.any(Function),
    })
  })

  test('treats an empty value as unset', () => {
    const names = ['ENV', 'HOST', 'PORT', 'DATA_DIR', 'LOG_LEVEL', 'MASTER_KEY', 'INIT_ORG']
    const env = Object.fromEntries(names.map((name) => [`PURSER_${name}`, '']))
    const empty = { ...env, DATABASE_URL: '', DATABASE_URL_FILE: '' }
    const { paths: _paths, readInitial, ...config } = readConfig(empty)
    expect(readConfig({})).toMatchObject(config)
    expect(readConfig({}).readInitial()).toEqual(readInitial())
  })

  test('also accepts the master key as hexadecimal digits', () => {
    expect(readConfig({ PURSER_MASTER_KEY: KEY.toString('hex') }).masterKeys.given).toEqual(KEY)
  })

  test('reports all mistakes at once, names each variable, and shows no secret', () => {
    const message = mistakesOf({
      PURSER_ENV: 'staging',
      PURSER_PORT: '70000',
      PURSER_DRAIN_SECONDS: '5s',
      PURSER_FREE_SPACE_MIN_MB: '1GB',
      PURSER_LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://root:hunter2@db/purser',
      PURSER_MASTER_KEY: 'hunter2hunter2',
      PURSER_ALLOW_LOOPBACK: 'maybe',
      PURSER_ALLOW_NETWORKS: '10.0.0.0/33',
      PURSER_WEBHOOK_RETRY_DELAYS: '5s, soon',
      PURSER_IN_FLIGHT_PER_ORG: '0',
      PURSER_IN_FLIGHT_PER_KEY: 'many',
      PURSER_REQUESTS_PER_MINUTE: '1.5',
      PURSER_BATCH_SIZE_MAX: '257',
      PURSER_X402_NETWORKS: 'base=https://node.example.com/hunter2',
      PURSER_X402_FINALITY: 'soon',
    })
    const lines = message.split('\n').slice(1)
    expect(lines.map((line) => /[A-Z_\d]{5,}/.exec(line)?.[0]).sort()).toEqual([
      'DATABASE_URL',
      'PURSER_ALLOW_LOOPBACK',
      'PURSER_ALLOW_NETWORKS',
      'PURSER_BATCH_SIZE_MAX',
      'PURSER_DRAIN_SECONDS',
      'PURSER_ENV',
      'PURSER_FREE_SPACE_MIN_MB',
      'PURSER_IN_FLIGHT_PER_KEY',
      'PURSER_IN_FLIGHT_PER_ORG',
      'PURSER_LOG_LEVEL',
      'PURSER_MASTER_KEY',
      'PURSER_PORT',
      'PURSER_REQUESTS_PER_MINUTE',
      'PURSER_WEBHOOK_RETRY_DELAYS',
      'PURSER_X402_FINALITY',
      'PURSER_X402_NETWORKS',
    ])
    expect(message).not.toContain('hunter2')
  })

  test.each(['-1', '65536', '3000x', '1e3', ' 3000', '0x10', '3000.5', '999999'])(
    'refuses the port %j',
    (port) => {
      expect(mistakesOf({ PURSER_PORT: port })).toContain('PURSER_PORT')
    },
  )

  test('requires the master key in production', () => {
    expect(mistakesOf({ PURSER_ENV: 'production' })).toMatch(/PURSER_MASTER_KEY.*required/)
  })

  test('is read-only', () => {
    const config = readConfig({})
    expect(() => Object.assign(config, { environment: 'production' })).toThrow()
    expect(() => Object.assign(config.http, { port: 1 })).toThrow()
    expect(() => Object.assign(config.storage, { dataDir: '/' })).toThrow()
    expect(() => Object.assign(config.paths, { length: 0 })).toThrow()
  })
})

describe('the settings of a path', () => {
  interface TillSettings {
    readonly drawers: number
    readonly pin: string
  }
  const TILL_SETTINGS = {
    PURSER_TILL_DRAWERS: { description: 'Number of drawers.', example: '3' },
    PURSER_TILL_PIN: { description: 'PIN.', example: 'hunter2', isSecret: true },
  }
  const till: PaymentPath<TillSettings> = {
    name: 'card',
    settings: {
      group: { title: 'Till', settings: TILL_SETTINGS },
      read(variable, mistakes) {
        const drawers = Number(variable('PURSER_TILL_DRAWERS') ?? '1')
        if (Number.isNaN(drawers)) mistakes.push('PURSER_TILL_DRAWERS must be a number.')
        const pin = variable('PURSER_TILL_PIN') ?? ''
        if (pin.length < 4) mistakes.push('PURSER_TILL_PIN must be at least four characters.')
        return { drawers, pin }
      },
    },
    open: () => ({}),
  }

  test('are read by the path and stored for it', () => {
    const env = { PURSER_TILL_DRAWERS: '3', PURSER_TILL_PIN: 'hunter2' }
    expect(readConfig(env, { paths: [till] }).paths).toMatchObject([
      { name: 'card', settings: { drawers: 3, pin: 'hunter2' } },
    ])
  })

  test('can come from a file only if the path declares them secret', async () => {
    const file = await aFile('pin', 'hunter2\n')
    const env = { PURSER_TILL_PIN_FILE: file, PURSER_TILL_DRAWERS_FILE: file }
    expect(readConfig(env, { paths: [till] }).paths).toMatchObject([
      { settings: { drawers: 1, pin: 'hunter2' } },
    ])
  })

  test('are reported in the same message as every other mistake', () => {
    const env = { PURSER_PORT: 'front', PURSER_TILL_DRAWERS: 'many', PURSER_TILL_PIN: 'x' }
    const lines = mistakesOf(env, [till]).split('\n').slice(1)
    expect(lines).toEqual([
      '  (1) PURSER_PORT must be a port number from 0 to 65535.',
      '  (2) PURSER_TILL_DRAWERS must be a number.',
      '  (3) PURSER_TILL_PIN must be at least four characters.',
    ])
  })
})
