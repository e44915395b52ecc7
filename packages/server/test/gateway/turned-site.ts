import assert from 'node:assert/strict'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { HOUR_MS } from '../support/builders.ts'
import { type Call, type CallAnswer, type Caller, createCaller } from '../support/caller.ts'
import { createTestDatabase } from '../support/database.ts'
import { openSite } from '../support/gateway-cluster.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { untilNotBusy } from '../support/not-busy.ts'
import { silentLog } from '../support/silent-log.ts'
import { TURNED_CLOCK } from '../support/turned-clock.ts'

/** Two processes whose clocks are an hour off, and one that is right. */
export const PROCESSES = ['behind', 'right', 'ahead'] as const
export type ProcessName = (typeof PROCESSES)[number]

/** Half of what the clocks are off: an instant that they disagree about, whatever the test takes. */
export const HALF_AN_HOUR_MS = HOUR_MS / 2

/** Statements get 40 % of these: more than the clients of a load send at once. */
const DB_CONNECTIONS = 24

/**
 * Three gateway processes on one PostgreSQL database. The database runs on this machine, so this
 * process reads the same clock as the database does.
 */
export interface TurnedSite {
  readonly apiKey: string
  /** A pool of its own, so that what it reads is what others would. */
  readonly db: Database
  /** Another one for checks of the books, so that nobody who changes something waits for them. */
  readonly auditor: Database
  /** With the key of the organization unless another caller is given. */
  call(on: ProcessName, call: Call, as?: Caller): Promise<CallAnswer>
  /** The body of the answer, which must be 200. */
  must(on: ProcessName, call: Call): Promise<Body>
  /** Asks every process the same, one after another. */
  everywhere<T>(ask: (on: ProcessName) => Promise<T>): Promise<T[]>
  stop(): Promise<void>
  /** The database stays open until here, for what can only be read when nobody works any more. */
  close(): Promise<void>
}

export interface Body {
  readonly id: string
  readonly status: string
  readonly decision: 'approved' | 'rejected'
  readonly transactionId: string
  readonly mandateId: string
  readonly amount: number
  readonly budgetSpent: number
  readonly budgetHeld: number
  readonly budgetTotal: number
  readonly heldAmount: number
  readonly settledAmount: number
  readonly refundedAmount: number
  readonly expiresAt: string | null
  readonly apiKey: string
  readonly code: string
  readonly evaluationDetails: { readonly code: string; readonly evaluatedAt: string }
  readonly data: readonly Body[]
  readonly token: string
  readonly active: boolean
}

export async function openTurnedSite(batchSizeMax = 256): Promise<TurnedSite> {
  const database = await createTestDatabase('postgres')
  const turned = (ms: number) => ({
    [TURNED_CLOCK]: String(ms),
    PURSER_PUBLIC_URL: 'https://gateway.example',
    PURSER_BATCH_SIZE_MAX: String(batchSizeMax),
  })
  const { site, first } = await openSite({ databaseUrl: database.url }, turned(0))
  const [behind, ahead] = await Promise.all([-HOUR_MS, HOUR_MS].map((ms) => site.start(turned(ms))))
  assert(behind && ahead)
  const gateways: Record<ProcessName, GatewayProcess> = { behind, right: first, ahead }
  const open = (connectionsMax: number) =>
    openPostgres({ url: database.url, connectionsMax }, silentLog)
  const [db, auditor] = await Promise.all([open(DB_CONNECTIONS), open(1)])
  const caller = createCaller(site.apiKey)
  const call: TurnedSite['call'] = (on, request, as = caller) =>
    untilNotBusy(() => as.send(gateways[on].url, request))
  return {
    apiKey: site.apiKey,
    db,
    auditor,
    call,
    async must(on, request) {
      const { status, text } = await call(on, request)
      assert.equal(status, 200, `${request.method ?? 'POST'} ${request.path} ${on}: ${text}`)
      return JSON.parse(text)
    },
    async everywhere(ask) {
      const answers = []
      for (const on of PROCESSES) answers.push(await ask(on))
      return answers
    },
    async stop() {
      caller.close()
      await Promise.all(PROCESSES.map((name) => gateways[name].stop()))
    },
    async close() {
      await site.close()
      await Promise.all([db.close(), auditor.close()])
      await database.drop()
    },
  }
}

export function isoIn(ms: number): string {
  return new Date(Date.now() + ms).toISOString()
}
