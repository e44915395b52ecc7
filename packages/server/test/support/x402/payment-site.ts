import assert from 'node:assert/strict'
import { expect, onTestFinished } from 'vitest'
import type { AnswerBody } from '../answer-body.ts'
import { audit } from '../audit.ts'
import { createCaller } from '../caller.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { addMandate, openSite } from '../gateway-cluster.ts'
import type { GatewayProcess } from '../gateway-process.ts'
import { waitUntil } from '../wait-until.ts'
import { type Bench, startBench } from './bench.ts'
import { NETWORK } from './chain.ts'

export interface PaymentAnswer {
  readonly status: number
  readonly body: AnswerBody
  readonly isReplay: boolean
}

/** A shop whose gateways are real processes on one PostgreSQL database, which may be killed. */
export interface PaymentSite extends Bench {
  readonly database: TestDatabase
  readonly first: GatewayProcess
  start(): Promise<GatewayProcess>
  pay(gateway: GatewayProcess, body: object, key?: string): Promise<PaymentAnswer>
  /** Waits until the transaction has this status in the database, whichever process set it. */
  becomes(id: string, status: string): Promise<void>
  /**
   * The spent amount, and the held part of it, in atomic units, which are micros. It checks that
   * all balances agree.
   */
  budget(): Promise<{ readonly spent: bigint; readonly held: bigint }>
}

export interface PaymentSiteSettings {
  /** The budget in USD. */
  readonly budget?: number
  /** A wallet whose key a third party holds. Without it, the gateway creates one. */
  readonly remote?: { readonly address: string; readonly signerUrl: string }
}

/** Base Sepolia of the bench. Every block counts as final at once. */
const settingsFor = ({ chain }: Bench) => ({
  PURSER_X402_NETWORKS: `${NETWORK}=${chain.url}`,
  PURSER_X402_FINALITY: 'latest',
})

/** Opens a site, which stops at the end of the test. */
export async function openPaymentSite(settings: PaymentSiteSettings = {}): Promise<PaymentSite> {
  const { budget: budgetTotal = 1, remote } = settings
  const bench = await startBench()
  onTestFinished(bench.stop)
  const database = await createTestDatabase('postgres')
  onTestFinished(database.drop)
  const { site, first } = await openSite({ databaseUrl: database.url }, settingsFor(bench))
  onTestFinished(site.close)
  onTestFinished(first.kill)
  const caller = createCaller(site.apiKey)
  onTestFinished(caller.close)

  const made = await caller.post(first.url, { path: '/wallets', body: { name: 'Till', ...remote } })
  assert.equal(made.status, 200, made.text)
  await bench.chain.mint(JSON.parse(made.text).address, 10_000_000n)
  await turnFetchOn(first, site.apiKey)
  const { agentId } = await addMandate(site, first, { budgetTotal })

  return {
    ...bench,
    database,
    first,
    async start() {
      const gateway = await site.start()
      onTestFinished(gateway.kill)
      return gateway
    },
    async pay(gateway, fields, key) {
      const body = { agentId, ...fields }
      const call = { path: '/gateway/x402/pay', body, ...(key !== undefined && { key }) }
      const { status, text, isReplay } = await caller.post(gateway.url, call)
      return { status, body: JSON.parse(text), isReplay }
    },
    async becomes(id, status) {
      const text = 'select status from transactions where id = $1'
      const values = [id.replace('txn_', '')]
      const isSo = async () => {
        const [row] = await database.db.query<{ status: string }>({ text, values })
        return row?.status === status
      }
      // If a process was killed while it worked on the payment, the payment is delayed by half a
      // minute.
      await waitUntil(isSo)
    },
    async budget() {
      expect(await audit(database.db)).toEqual([])
      const text = 'select budget_spent as spent, budget_held as held from mandates'
      const [row] = await database.db.query<{ spent: bigint; held: bigint }>({ text })
      assert(row)
      return row
    },
  }
}

async function turnFetchOn({ url }: GatewayProcess, apiKey: string): Promise<void> {
  const { status } = await fetch(`${url}/api/v1/organization`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: '{"x402Fetch":true}',
  })
  assert.equal(status, 200)
}
