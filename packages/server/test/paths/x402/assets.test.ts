import { expect, test } from 'vitest'
import { createChains } from '../../../src/paths/x402/chain/chains.ts'
import { assetsOn, findAsset } from '../../../src/paths/x402/offers/assets.ts'

// The list comes with the SDK. A token that is not worth one dollar must not come in with an update.
const KNOWN = [
  'eip155:1 USDC',
  'eip155:14 USDT0',
  'eip155:50 USDC',
  'eip155:51 USDC',
  'eip155:137 USDC',
  'eip155:143 USDC',
  'eip155:988 USDT0',
  'eip155:1328 USDC',
  'eip155:1329 USDC',
  'eip155:2201 USDT0',
  'eip155:8453 USDC',
  'eip155:36900 USDC.e',
  'eip155:42161 USDC',
  'eip155:42220 USDC',
  'eip155:42220 USDT',
  'eip155:42220 USAT',
  'eip155:43114 USDC',
  'eip155:84532 USDC',
  'eip155:181228 USDC.e',
  'eip155:190415 USDC.e',
  'eip155:421614 USDC',
  'eip155:11142220 USDC',
]

test('every token that can be paid with is a dollar with six decimals', () => {
  const networks = [...new Set(KNOWN.map((known) => known.split(' ')[0] ?? ''))]
  const assets = networks.flatMap(assetsOn)
  expect(assets.map(({ network, symbol }) => `${network} ${symbol}`)).toEqual(KNOWN)
  expect(new Set(assets.map(({ currency, decimals }) => `${currency} ${decimals}`))).toEqual(
    new Set(['USD 6']),
  )
})

test('nothing else is in the list', async () => {
  const { DEFAULT_ASSETS } = await import('@x402/evm')
  const listed = Object.keys(DEFAULT_ASSETS).flatMap((network) => assetsOn(network))
  expect(listed).toHaveLength(KNOWN.length)
})

test('a token is found by its address in any case, on its own network only', () => {
  const address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
  expect(findAsset('eip155:84532', address)?.symbol).toBe('USDC')
  expect(findAsset('eip155:84532', address.toLowerCase())?.symbol).toBe('USDC')
  expect(findAsset('eip155:8453', address)).toBeUndefined()
})

test('a network without a known token is refused at the start', () => {
  const setting = { network: 'eip155:999', rpcUrl: undefined, finality: 'safe' } as const
  expect(() => createChains([setting])).toThrow(/eip155:999, which is not supported.*eip155:8453/)
})
