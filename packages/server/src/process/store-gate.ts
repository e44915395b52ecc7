import type { Problem } from '../base/errors.ts'
import type { Lifecycle } from '../base/lifecycle.ts'
import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { startLoop } from '../base/loop.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { createOutboundClient, type OutboundClient } from '../outbound/outbound-client.ts'
import type { Resolve } from '../outbound/resolver.ts'
import { closedProblem } from '../storage/backup/closed-problem.ts'
import { readStoreState, type StoreStateRow } from '../storage/backup/store-state.ts'
import type { Database } from '../storage/engine/database.ts'
import type { Config } from './config.ts'

interface StoreGate {
  /** The problem for a caller while the store is closed; undefined while it is open. */
  findProblem(): Problem | undefined
  /** `open`, or the state for which it is closed. */
  state(): string
  stop(): Promise<void>
}

const EVERY_MS = 1_000

/**
 * Knows whether the store is closed, within a second of a change. The database refuses writes to a
 * closed store by itself and at once (ADR 59), so this gate only keeps calls from leaving that would
 * come before the first write, such as the first call to a seller.
 */
async function createStoreGate(db: Database, log: Log): Promise<StoreGate> {
  let closed: StoreStateRow | undefined

  async function look(): Promise<void> {
    const found = await readStoreState(db)
    const now = found?.state === 'holding' ? undefined : found
    if (now?.state === closed?.state) return
    closed = now
    if (now) logEvent(log, 'storage.store_closed', { state: now.state, reason: now.note })
    else logEvent(log, 'storage.store_opened')
  }

  await look()
  const loop = startLoop({
    run: look,
    everyMs: EVERY_MS,
    failed: (err) => logEvent(log, 'storage.store_check_failed', { err }),
  })
  return {
    findProblem: () => closed && closedProblem(closed.state),
    state: () => closed?.state ?? 'open',
    stop: loop.stop,
  }
}

/** A gateway that decides nothing while the store is closed, and still answers questions. */
export function guardGateway(gateway: Gateway, gate: StoreGate): Gateway {
  return {
    ...gateway,
    // Without this, a card connection that fails open could approve when a closed store is slow.
    decide: (submission) => {
      const problem = gate.findProblem()
      return problem ? Promise.reject(problem) : gateway.decide(submission)
    },
    // Budgets are shown without it: only the release of overdue holds has to wait.
    releaseOverdue: async (organizationId) => {
      if (!gate.findProblem()) await gateway.releaseOverdue(organizationId)
    },
  }
}

interface GateParts {
  readonly db: Database
  readonly log: Log
  readonly config: Pick<Config, 'outbound'>
  readonly resolve: Resolve | undefined
}

/** Starts the gate, and the client for calls to other parties, which sends nothing while it is closed. */
export async function openGate(
  { add, onStop }: Lifecycle,
  { db, log, config, resolve }: GateParts,
): Promise<{ readonly gate: StoreGate; readonly outbound: OutboundClient }> {
  const gate = add(await createStoreGate(db, log))
  const outbound = createOutboundClient(config.outbound, resolve && { resolve })
  onStop(() => outbound.close())
  const call: OutboundClient['call'] = (request) => {
    const problem = gate.findProblem()
    return problem ? Promise.reject(problem) : outbound.call(request)
  }
  return { gate, outbound: { ...outbound, call } }
}
