import { getAddress, type PublicClient } from 'viem'
import { describe, expect, test } from 'vitest'
import { findTrace, isUnreachable } from '../../../src/paths/x402/chain/authorization-trace.ts'
import { type Finality, fateOf } from '../../../src/paths/x402/chain/fate.ts'
import { HttpRequestError, TimeoutError } from '../../../src/paths/x402/x402-libraries.ts'
import { type Knowledge, scriptedNode, TRANSACTION } from './scripted-node.ts'
import { PAYEE, PAYER, someOffer, USDC } from './some-offer.ts'
import { somePayment } from './some-payment.ts'

const END = 100n
const payment = somePayment(2, someOffer(), PAYER)

function fate(known: Partial<Knowledge>, finality: Finality = 'latest') {
  const { client } = scriptedNode(payment, { latest: END, end: END, ...known })
  return fateOf(client, payment, finality)
}

const SETTLED = { kind: 'settled', transaction: TRANSACTION }
const OPEN = { kind: 'open' }
const UNSEEN = { kind: 'unseen' }

describe('an authorization that is used', () => {
  const used = { usedFrom: 50n, trace: { kind: 'AuthorizationUsed', at: 50n } } as const

  test('is settled by exactly the signed transfer, in whatever case its addresses are', async () => {
    expect(await fate({ ...used, latest: 50n })).toEqual(SETTLED)
    const transfer = { token: USDC, from: getAddress(PAYER), to: getAddress(PAYEE.toLowerCase()) }
    expect(await fate({ ...used, transfer })).toEqual(SETTLED)
  })

  test.each<[string, Partial<Knowledge>]>([
    ['in a transaction that failed', { isReverted: true }],
    ['of a different amount', { transfer: { value: 9_999n } }],
    ['of a different token', { transfer: { token: `0x${'11'.repeat(20)}` } }],
    ['from a different wallet', { transfer: { from: `0x${'22'.repeat(20)}` } }],
    ['to a different payee', { transfer: { to: `0x${'33'.repeat(20)}` } }],
    ['that the node does not show', { trace: undefined }],
  ])('is assumed to be spent after its end by a transfer %s', async (_, known) => {
    expect(await fate({ ...used, ...known })).toEqual(UNSEEN)
    expect(await fate({ ...used, ...known, latest: END - 1n })).toEqual(OPEN)
  })

  test('is assumed to be spent only once its use is final', async () => {
    const unseen = { usedFrom: END + 1n, latest: END + 3n }
    expect(await fate(unseen, 2)).toEqual(UNSEEN)
    expect(await fate(unseen, 3)).toEqual(OPEN)
  })
})

describe('an authorization that is canceled', () => {
  const canceled = { usedFrom: 50n, trace: { kind: 'AuthorizationCanceled', at: 50n } } as const

  test('is dead once that is final', async () => {
    const dead = { kind: 'dead', transaction: TRANSACTION }
    expect(await fate({ ...canceled, latest: 52n }, 2)).toEqual(dead)
    expect(await fate({ ...canceled, latest: 51n }, 2)).toEqual(OPEN)
  })
})

describe('an authorization that is not used', () => {
  const DEAD = { kind: 'dead', transaction: null }

  test.each<[Finality, bigint]>([
    ['latest', 0n],
    ['safe', 0n],
    [0, 0n],
    [5, 5n],
  ])('is dead once a final block (%s) has reached its end', async (finality, behind) => {
    expect(await fate({ latest: END + behind }, finality)).toEqual(DEAD)
    expect(await fate({ latest: END + behind - 1n }, finality)).toEqual(OPEN)
  })

  test('is open on a chain that has fewer blocks than final ones need', async () => {
    expect(await fate({ latest: 3n }, 10)).toEqual(OPEN)
    expect(await fate({ latest: 3n, end: 0n }, 10)).toEqual(DEAD)
  })

  test('is open if the final block says that it is used', async () => {
    const { client } = scriptedNode(payment, { latest: END, end: END, usedFrom: END })
    const forgetful = { ...client, readContract: forgetfulOnce(client) } as PublicClient
    expect(await fateOf(forgetful, payment, 'latest')).toEqual(OPEN)
  })
})

/** As if the first question had gone to a node that lags behind. */
function forgetfulOnce(client: PublicClient): PublicClient['readContract'] {
  let isFirst = true
  const read: PublicClient['readContract'] = async (question) => {
    const answer = await client.readContract(question)
    const isForgotten = isFirst
    isFirst = false
    return isForgotten ? (false as typeof answer) : answer
  }
  return read
}

describe('the trace of an authorization', () => {
  const signedAt = (fromBlock: bigint | null, known: Partial<Knowledge>) => {
    const node = scriptedNode(payment, { latest: 20_000n, end: 20_000n, ...known })
    return { ...node, trace: findTrace(node.client, { ...payment, fromBlock }) }
  }
  const usedAt = (at: bigint) => ({ trace: { kind: 'AuthorizationUsed', at } as const })

  test('is looked for 5,000 blocks from the signature on, and then 300 before it', async () => {
    const { trace, searched } = signedAt(10_000n, {})
    expect(await trace).toBeUndefined()
    expect(searched).toEqual([
      [10_000n, 15_000n],
      [9_700n, 9_999n],
    ])
  })

  test.each([9_700n, 9_999n, 10_000n, 15_000n])('is found at %d', async (block) => {
    const { trace } = signedAt(10_000n, usedAt(block))
    expect(await trace).toEqual({ kind: 'used', block, transaction: TRANSACTION })
  })

  test('is looked for up to the newest block, and from the first one on', async () => {
    const { searched, trace } = signedAt(200n, { latest: 250n })
    await trace
    expect(searched).toEqual([
      [200n, 250n],
      [0n, 199n],
    ])
  })

  test('is looked for in the newest 5,000 blocks if the height is unknown', async () => {
    const { searched, trace } = signedAt(null, usedAt(16_000n))
    expect(await trace).toMatchObject({ block: 16_000n })
    expect(searched).toEqual([[15_000n, 20_000n]])
  })

  test('is looked for below a height that a reorganization has undone', async () => {
    const { searched, trace } = signedAt(200n, { latest: 150n, ...usedAt(149n) })
    expect(await trace).toMatchObject({ block: 149n })
    expect(searched).toEqual([[0n, 150n]])
  })

  test.each([9_700n, 10_011n, 15_000n])(
    'is found at %d by a node that only searches short ranges',
    async (block) => {
      const { trace } = signedAt(10_000n, { ...usedAt(block), rangeMax: 100n })
      expect(await trace).toMatchObject({ block })
    },
  )

  test('is not looked for further if the node refuses ten blocks', async () => {
    const { searched, trace } = signedAt(10_000n, { rangeMax: 9n })
    await expect(trace).rejects.toThrow()
    const [from, to] = searched.at(-1) ?? [0n, 0n]
    expect(to - from).toBeLessThan(10n)
  })

  const url = 'https://node.example'
  test.each([
    ['does not answer', new TimeoutError({ body: {}, url }), true],
    ['cannot be reached', new HttpRequestError({ url }), true],
    ['is asked too often', new HttpRequestError({ url, status: 429 }), true],
    ['fails', new HttpRequestError({ url, status: 500 }), true],
    ['refuses the question', new HttpRequestError({ url, status: 499 }), false],
  ])('is looked for once if the node %s', async (_, failure, isOver) => {
    expect(isUnreachable(failure)).toBe(isOver)
    const { searched, trace } = signedAt(10_000n, { failure })
    await expect(trace).rejects.toThrow()
    expect(searched.length === 1).toBe(isOver)
  })
})
