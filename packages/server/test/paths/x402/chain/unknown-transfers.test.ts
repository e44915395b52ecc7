import { expect, test } from 'vitest'
import {
  listUnknown,
  toFinding,
  toFirstBlock,
} from '../../../../src/paths/x402/chain/unknown-transfers.ts'

test('a known authorization explains one transfer of its wallet in its transaction', () => {
  const transfer = (from: string, transaction: string) => {
    return { token: '0xt', from, to: '0xb', value: 1n, transaction }
  }
  const used = (from: string, nonce: string, transaction: string) => ({ from, nonce, transaction })
  const [first, second, other, elsewhere] = [
    transfer('0xa', '0x1'),
    transfer('0xa', '0x1'),
    transfer('0xc', '0x1'),
    transfer('0xa', '0x2'),
  ]
  const outgoing = {
    transfers: [first, second, other, elsewhere],
    used: [used('0xa', '0xn', '0x1'), used('0xc', '0xn', '0x1'), used('0xa', '0xm', '0x2')],
  }
  expect(listUnknown(outgoing, new Set(['0xa 0xn', '0xa 0xm']))).toEqual([second, other])
  expect(listUnknown(outgoing, new Set())).toEqual([first, second, other, elsewhere])
})

test.each<[string, height: bigint, newest: bigint | null, first: bigint]>([
  ['5,000 blocks ago if no payment is known', 1_000_000n, null, 995_000n],
  ['5,000 blocks ago if the newest payment is later', 1_000_000n, 995_001n, 995_000n],
  ['300 blocks before the newest payment', 1_000_000n, 995_000n, 994_700n],
  ['200,000 blocks ago at the earliest', 1_000_000n, 800_299n, 800_000n],
  ['with the first block of a young chain', 4_000n, null, 0n],
])('the search for transfers begins %s', (_, height, newest, first) => {
  expect(toFirstBlock({ height }, newest)).toBe(first)
})

test('wallets that were not read are not said to be fine', () => {
  const seen = [{ unknown: [], note: 'eip155:84532 from block 7' }]
  expect(toFinding(seen, [], false)).toMatchObject({ status: 'ok' })
  expect(toFinding(seen, [], true)).toEqual({
    status: 'warn',
    text: expect.stringContaining('Read: only the newest 100 wallets; eip155:84532 from block 7.'),
    action: 'Compare the transfers of the other wallets by hand.',
  })
})
