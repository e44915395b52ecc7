import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createChains } from '../../../src/paths/x402/chain/chains.ts'
import { startReceiver } from '../../support/receiver.ts'

test('a node that fails is not named by its URL, which may hold a key', async () => {
  const node = await startReceiver((response) => response.writeHead(500).end('no'))
  const rpcUrl = `${node.url}/the-key-of-the-node`
  const setting = { network: 'eip155:84532', rpcUrl, finality: 'safe' } as const
  const error = await createChains([setting])
    .chain('eip155:84532')
    ?.head()
    .catch((reason: unknown) => reason)
  await node.close()
  expect(error).toBeInstanceOf(Error)
  // With its cause and its stack, as a log would show it.
  expect(inspect(error, { depth: 10 })).not.toContain('the-key-of-the-node')
})
