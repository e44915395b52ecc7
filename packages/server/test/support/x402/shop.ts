import assert from 'node:assert/strict'
import { expect, onTestFinished } from 'vitest'
import type { AnswerBody } from '../answer-body.ts'
import { type Answer, createTestApp, type Owner, type TestApp } from '../app.ts'
import type { Engine } from '../database.ts'
import { pathsOn } from '../paths.ts'
import { waitUntil } from '../wait-until.ts'
import { type Bench, type BenchSettings, startBench } from './bench.ts'
import { NETWORK } from './chain.ts'
import { paymentRequired, type Terms } from './payment-required.ts'

type Config = NonNullable<Parameters<typeof createTestApp>[1]>

export interface ShopSettings extends BenchSettings {
  readonly engine?: Engine
  /** The budget of the agent's mandate, in USD. */
  readonly budget?: number
  readonly rules?: readonly object[]
  /** The balance of the wallet, in atomic units. */
  readonly funds?: bigint
  readonly finality?: 'latest' | 'safe' | 'finalized' | number
  readonly config?: Partial<Config>
  readonly log?: Parameters<typeof createTestApp>[2]
}

/** An agent with a mandate, a wallet with money, a vendor, and everything between them. */
export interface Shop extends Bench {
  readonly app: TestApp
  readonly acme: Owner
  readonly agentId: string
  readonly mandateId: string
  readonly wallet: `0x${string}`
  /** Requests a payment. */
  pay(body: object, key?: string): Promise<Answer>
  /** The offer of this URL, as an agent receives it. */
  meet(url: string): Promise<{ readonly url: string; readonly paymentRequired: unknown }>
  /** An offer that no vendor makes: only its terms matter. */
  offer(terms: Partial<Terms>): { readonly url: string; readonly paymentRequired: unknown }
  /** Retries the request with the payment of an answer. */
  redeem(url: string, answer: Answer): Promise<Response>
  transaction(id: string): Promise<AnswerBody>
  /** Waits until the transaction has this status. */
  becomes(id: string, status: string): Promise<AnswerBody>
  /**
   * The spent amount, the held part of it, and the rest, in USD. It checks that they match the
   * transactions.
   */
  budget(): Promise<{ spent: number; held: number; left: number }>
}

/** An arbitrary address. */
export const PAYEE = '0x00000000000000000000000000000000000c0ffe'
const SOMEWHERE = 'https://api.vendor.example/data'

export async function openShop(settings: ShopSettings = {}): Promise<Shop> {
  const bench = await startBench(settings)
  onTestFinished(bench.stop)
  const app = await createTestApp(settings.engine, configOf(bench, settings), settings.log)
  onTestFinished(app.stop)
  const acme = await app.organization()
  return { ...bench, app, ...(await furnish(acme, bench, settings)) }
}

/** The configuration of an app for this chain. */
export function configOf({ chain }: Bench, { finality = 'latest', config }: ShopSettings): Config {
  return { paths: pathsOn([{ network: NETWORK, rpcUrl: chain.url, finality }]), ...config }
}

/** Creates everything that a shop has besides its bench and its app, for this organization. */
export async function furnish(acme: Owner, { chain }: Bench, settings: ShopSettings) {
  const { budget: budgetTotal = 1, rules = [], funds = 10_000_000n } = settings
  const must = async (path: string, body?: object): Promise<AnswerBody> => {
    const answer = await acme.post(path, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const wallet = (await must('/wallets', { name: 'Till' })).address as `0x${string}`
  await chain.mint(wallet, funds)
  const { id: agentId } = await must('/agents', { name: 'Buyer' })
  const { id: mandateId } = await must('/mandates', { agentId, budgetTotal, rules })
  await must(`/mandates/${mandateId}/activate`)
  const transaction = async (id: string) => (await acme.get(`/transactions/${id}`)).body

  return {
    acme,
    agentId,
    mandateId,
    wallet,
    pay: (body: object, key?: string) =>
      acme.post('/gateway/x402/pay', { agentId, ...body }, key ? { 'idempotency-key': key } : {}),
    meet,
    offer: (terms: Partial<Terms>) => ({
      url: SOMEWHERE,
      paymentRequired: paymentRequired({
        amount: '100000',
        payTo: PAYEE,
        resource: SOMEWHERE,
        ...terms,
      }).v2,
    }),
    redeem: (url: string, { body, text }: Answer) => {
      assert(body.payment, text)
      return fetch(url, { headers: { [body.payment.headerName]: body.payment.headerValue } })
    },
    transaction,
    becomes: async (id: string, status: string) => {
      await waitUntil(async () => (await transaction(id)).status === status)
      return transaction(id)
    },
    budget: async () => {
      const { budgetSpent, budgetHeld, remainingBudget } = (
        await acme.get(`/mandates/${mandateId}`)
      ).body
      const { data } = (await acme.get(`/transactions?agentId=${agentId}&limit=200`)).body
      expect(micros(budgetSpent)).toBe(sum(data, 'heldAmount') + sum(data, 'settledAmount'))
      expect(micros(budgetHeld)).toBe(sum(data, 'heldAmount'))
      expect(micros(budgetSpent) + micros(remainingBudget)).toBe(micros(budgetTotal))
      return { spent: budgetSpent, held: budgetHeld, left: remainingBudget }
    },
  }
}

async function meet(url: string) {
  const answer = await fetch(url)
  assert.equal(answer.status, 402)
  const header = answer.headers.get('payment-required')
  return { url, paymentRequired: header ?? (await answer.json()) }
}

function sum(rows: readonly AnswerBody[], field: 'heldAmount' | 'settledAmount'): number {
  return rows.reduce((total, row) => total + micros(row[field]), 0)
}

function micros(units: number): number {
  return Math.round(units * 1e6)
}
