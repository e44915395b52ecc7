import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { x402Path } from '../../../src/paths/x402/path.ts'
import type { X402Settings } from '../../../src/paths/x402/settings.ts'
import { readConfig } from '../../../src/process/config.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-settings-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function aFile(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

/** As the whole configuration reads them. */
function settingsOf(env: Record<string, string>): X402Settings {
  const [path] = readConfig(env, { paths: [x402Path] }).paths
  return path?.settings as X402Settings
}

function mistakesOf(env: Record<string, string>): string {
  try {
    settingsOf(env)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'none'
}

describe('the networks of x402', () => {
  const networksOf = (networks: string, finality = '') =>
    settingsOf({ PURSER_X402_NETWORKS: networks, PURSER_X402_FINALITY: finality }).networks

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
    const { networks } = settingsOf({ PURSER_X402_NETWORKS_FILE: file })
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
