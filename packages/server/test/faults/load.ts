import { randomUUID } from 'node:crypto'
import { aSpend } from '../support/spends.ts'
import type { Spender, Told } from './stage.ts'

/** One answered request. */
interface Answered {
  readonly organizationId: string
  readonly port: number
  readonly atMs: number
  readonly ms: number
  readonly status: number
  /** What the answer says, if it is a refusal. */
  readonly detail: string | undefined
}

/** Clients that spend all the time, and repeat a spend with its key until it is answered. */
export interface Load {
  /** Throws if a client has failed. */
  check(): void
  /** The requests that were answered since an instant of `performance.now()`. */
  since(ms: number): readonly Answered[]
  readonly told: readonly Told[]
  /** Sends nothing more, and resolves when every spend has its answer. */
  end(): Promise<void>
}

const AMOUNT = 0.1
/** A client pauses before it retries, so that refusals at once do not flood the gateway. */
const REST_AFTER_REFUSAL_MS = 100

/** Each organization has one client. */
export function startLoad(spenders: readonly Spender[]): Load {
  const answered: Answered[] = []
  const told: Told[] = []
  let isEnding = false

  async function spend({ owner, organizationId, agentId, port }: Spender): Promise<void> {
    const key = randomUUID()
    for (;;) {
      const atMs = performance.now()
      const body = { ...aSpend(agentId), amount: AMOUNT }
      const headers = { 'idempotency-key': key }
      const answer = await owner.post('/gateway/evaluate', body, headers)
      const ms = performance.now() - atMs
      const { status } = answer
      const detail = status === 200 ? undefined : String(answer.body.detail)
      answered.push({ organizationId, port, atMs, ms, status, detail })
      if (status === 200) {
        const { transactionId, decision } = answer.body
        told.push({ organizationId, key, transactionId, decision: String(decision) })
        return
      }
      if (status < 500) throw new Error(answer.text)
      await new Promise((resolve) => setTimeout(resolve, REST_AFTER_REFUSAL_MS))
    }
  }

  async function spendOnAndOn(spender: Spender): Promise<void> {
    while (!isEnding) await spend(spender)
  }

  let failure: unknown
  const clients = Promise.all(spenders.map(spendOnAndOn)).catch((error: unknown) => {
    failure = error
  })
  const check = (): void => {
    if (failure !== undefined) throw failure
  }
  return {
    check,
    since: (ms) => answered.filter(({ atMs }) => atMs >= ms),
    told,
    async end() {
      isEnding = true
      await clients
      check()
    },
  }
}

/** The time that 99 of 100 requests stay below. */
export function p99(answers: readonly { readonly ms: number }[]): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0
}
