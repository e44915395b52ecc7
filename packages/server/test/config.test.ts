import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'

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

function mistakesOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'none'
}

describe('the configuration', () => {
  test('has a default for everything in development', () => {
    expect(readConfig({})).toEqual({
      environment: 'development',
      http: { host: '127.0.0.1', port: 3000 },
      storage: { dataDir: resolve('.purser'), databaseUrl: undefined },
      log: { level: 'info' },
      outbound: { allowLoopback: true, allowedNetworks: [] },
      webhooks: { retryDelaysMs: [5_000, 30_000, 180_000, 1_080_000] },
      x402: { networks: [] },
      masterKey: undefined,
      initOrganization: undefined,
    })
  })

  test('takes every value from the environment', () => {
    const config = readConfig({
      PURSER_ENV: 'production',
      PURSER_HOST: '0.0.0.0',
      PURSER_PORT: '0',
      PURSER_DATA_DIR: '/var/lib/purser',
      DATABASE_URL: 'postgresql://purser:secret@db:5432/purser?sslmode=require',
      PURSER_LOG_LEVEL: 'warn',
      PURSER_MASTER_KEY: KEY.toString('base64'),
      PURSER_INIT_ORG: ' Acme ',
      PURSER_ALLOW_LOOPBACK: 'false',
      PURSER_ALLOW_NETWORKS: '10.20.0.0/16, fd00:12::/32',
      PURSER_WEBHOOK_RETRY_DELAYS: '10ms, 2s 3m,1h',
      PURSER_X402_NETWORKS: 'eip155:8453=https://node.example.com/v2/key eip155:84532',
      PURSER_X402_FINALITY: 'finalized',
    })
    expect(config).toEqual({
      environment: 'production',
      http: { host: '0.0.0.0', port: 0 },
      storage: {
        dataDir: '/var/lib/purser',
        databaseUrl: 'postgresql://purser:secret@db:5432/purser?sslmode=require',
      },
      log: { level: 'warn' },
      outbound: { allowLoopback: false, allowedNetworks: ['10.20.0.0/16', 'fd00:12::/32'] },
      webhooks: { retryDelaysMs: [10, 2_000, 180_000, 3_600_000] },
      x402: {
        networks: [
          {
            network: 'eip155:8453',
            rpcUrl: 'https://node.example.com/v2/key',
            finality: 'finalized',
          },
          { network: 'eip155:84532', rpcUrl: undefined, finality: 'finalized' },
        ],
      },
      masterKey: KEY,
      initOrganization: 'Acme',
    })
  })

  test('counts an empty value as not given', () => {
    const names = ['ENV', 'HOST', 'PORT', 'DATA_DIR', 'LOG_LEVEL', 'MASTER_KEY', 'INIT_ORG']
    const env = Object.fromEntries(names.map((name) => [`PURSER_${name}`, '']))
    expect(readConfig({ ...env, DATABASE_URL: '', DATABASE_URL_FILE: '' })).toEqual(readConfig({}))
  })

  test('never allows the loopback in production', () => {
    const production = { PURSER_ENV: 'production', PURSER_MASTER_KEY: KEY.toString('hex') }
    expect(readConfig(production).outbound.allowLoopback).toBe(false)
    expect(mistakesOf({ ...production, PURSER_ALLOW_LOOPBACK: 'true' })).toContain('production')
  })

  test('takes the master key as hexadecimal digits too', () => {
    expect(readConfig({ PURSER_MASTER_KEY: KEY.toString('hex') }).masterKey).toEqual(KEY)
  })

  test('reports all mistakes at once, each with its variable, and repeats no secret', () => {
    const message = mistakesOf({
      PURSER_ENV: 'staging',
      PURSER_PORT: '70000',
      PURSER_LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://root:hunter2@db/purser',
      PURSER_MASTER_KEY: 'hunter2hunter2',
      PURSER_INIT_ORG: 'x'.repeat(121),
      PURSER_ALLOW_LOOPBACK: 'maybe',
      PURSER_ALLOW_NETWORKS: '10.0.0.0/33',
      PURSER_WEBHOOK_RETRY_DELAYS: '5s, soon',
      PURSER_X402_NETWORKS: 'base=https://node.example.com/hunter2',
      PURSER_X402_FINALITY: 'soon',
    })
    const lines = message.split('\n').slice(1)
    expect(lines.map((line) => /[A-Z_\d]{5,}/.exec(line)?.[0]).sort()).toEqual([
      'DATABASE_URL',
      'PURSER_ALLOW_LOOPBACK',
      'PURSER_ALLOW_NETWORKS',
      'PURSER_ENV',
      'PURSER_INIT_ORG',
      'PURSER_LOG_LEVEL',
      'PURSER_MASTER_KEY',
      'PURSER_PORT',
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

  test('cannot be changed once it was read', () => {
    const config = readConfig({})
    expect(() => Object.assign(config, { environment: 'production' })).toThrow()
    expect(() => Object.assign(config.http, { port: 1 })).toThrow()
    expect(() => Object.assign(config.storage, { dataDir: '/' })).toThrow()
  })
})

describe('the networks of x402', () => {
  const networksOf = (networks: string, finality = '') =>
    readConfig({ PURSER_X402_NETWORKS: networks, PURSER_X402_FINALITY: finality }).x402.networks

  test('are read with and without a node, in any spacing', () => {
    expect(networksOf(' eip155:1,eip155:8453=http://127.0.0.1:8545\n, eip155:137 ')).toEqual([
      { network: 'eip155:1', rpcUrl: undefined, finality: 'safe' },
      { network: 'eip155:8453', rpcUrl: 'http://127.0.0.1:8545', finality: 'safe' },
      { network: 'eip155:137', rpcUrl: undefined, finality: 'safe' },
    ])
  })

  test('keep all of the URL of a node', () => {
    const url = 'https://user:pass@node.example.com:8443/v2/key=a?b=c&d=e'
    expect(networksOf(`eip155:1=${url}`)[0]?.rpcUrl).toBe(url)
  })

  test.each([
    ['latest', ['latest', 'latest']],
    ['12', [12, 12]],
    ['eip155:1=finalized', ['finalized', 'safe']],
    ['eip155:1=finalized, latest', ['finalized', 'latest']],
    ['latest eip155:8453=5', ['latest', 5]],
  ])('are final as %s says', (finality, expected) => {
    const networks = networksOf('eip155:1 eip155:8453', finality)
    expect(networks.map((network) => network.finality)).toEqual(expected)
  })

  test.each([
    'base',
    'eip155:0',
    'eip155:01',
    'eip155:-1',
    'eip155:84532x',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'EIP155:1',
    'eip155:1=',
    'eip155:1=node.example.com',
    'eip155:1=ws://node.example.com',
    'eip155:1=file:///etc/passwd',
    'eip155:1 =https://node.example.com',
    'eip155:1;eip155:8453',
    'eip155:1, eip155:1',
    'eip155:1, eip155:8453, eip155:1=https://node.example.com',
  ])('are refused as %s', (networks) => {
    expect(mistakesOf({ PURSER_X402_NETWORKS: networks })).toContain('PURSER_X402_NETWORKS')
  })

  test.each(['soon', '0', '-1', '1.5', '10000', 'LATEST', 'eip155:1=', 'base=safe', '=safe'])(
    'are refused with the finality %s',
    (finality) => {
      const env = { PURSER_X402_NETWORKS: 'eip155:1', PURSER_X402_FINALITY: finality }
      expect(mistakesOf(env)).toContain('PURSER_X402_FINALITY')
    },
  )

  test('may come from a file, as the URL of a node is a secret', async () => {
    const file = await aFile('networks', 'eip155:1=https://node.example.com/hunter2\neip155:137\n')
    const { networks } = readConfig({ PURSER_X402_NETWORKS_FILE: file }).x402
    expect(networks.map(({ rpcUrl }) => rpcUrl)).toEqual([
      'https://node.example.com/hunter2',
      undefined,
    ])
    const both = { PURSER_X402_NETWORKS: 'eip155:1', PURSER_X402_NETWORKS_FILE: file }
    expect(mistakesOf(both)).toContain('PURSER_X402_NETWORKS_FILE are both set')
  })

  test('are not repeated in what is said of a mistake', async () => {
    const text = 'eip155:1=https://node.example.com/hunter2, eip155:1=https://hunter2@node'
    const file = await aFile('twice', text)
    for (const env of [{ PURSER_X402_NETWORKS: text }, { PURSER_X402_NETWORKS_FILE: file }]) {
      expect(mistakesOf(env)).toMatch(/^(?!.*hunter2).*PURSER_X402_NETWORKS/s)
    }
  })
})

describe('a secret in a file', () => {
  test('is read from there, without the line break at its end', async () => {
    const url = 'postgres://purser@db/purser'
    const config = readConfig({
      PURSER_ENV: 'production',
      PURSER_MASTER_KEY_FILE: await aFile('key', `${KEY.toString('base64')}\n`),
      DATABASE_URL_FILE: await aFile('url', `${url}\n`),
    })
    expect(config.masterKey).toEqual(KEY)
    expect(config.storage.databaseUrl).toBe(url)
  })

  test('is refused together with the variable itself', async () => {
    const file = await aFile('both', KEY.toString('base64'))
    const env = { PURSER_MASTER_KEY: KEY.toString('base64'), PURSER_MASTER_KEY_FILE: file }
    expect(mistakesOf(env)).toMatch(/PURSER_MASTER_KEY and PURSER_MASTER_KEY_FILE are both set/)
  })

  test('is refused when the file is missing, empty, a folder, or holds nonsense', async () => {
    const paths = [
      join(folder, 'missing'),
      folder,
      await aFile('empty', '\n'),
      await aFile('nonsense', 'not a key'),
    ]
    for (const path of paths) {
      expect(mistakesOf({ PURSER_MASTER_KEY_FILE: path })).toContain('PURSER_MASTER_KEY')
      expect(mistakesOf({ DATABASE_URL_FILE: path })).toContain('DATABASE_URL')
    }
  })
})
