import { agentNotFound } from '../core/agent.ts'
import { decide } from '../core/decide.ts'
import { PLANS, usageMonth } from '../core/plan.ts'
import { type Instant, toIso } from '../core/time.ts'
import { Problem } from '../errors.ts'
import type { Database, Tx } from '../storage/database.ts'
import { type DecisionKeyRow, findDecisionKeys, isPastItsTime } from '../storage/decision-keys.ts'
import { findOutcomes } from '../storage/outcomes.ts'
import { type Attempt, type Outcome, toDecisionRow } from './attempt.ts'
import type { Failed } from './batcher.ts'
import { type Books, openBooks } from './books.ts'
import { type Ledger, type LedgerParts, openLedger } from './ledger.ts'

type Result = Outcome | Failed

/** Told after the commit that events of an organization are stored. */
export type OnStored = (organizationId: string, hasWebhook: boolean) => void

interface BatchParts extends LedgerParts {
  readonly db: Database
  readonly onStored: OnStored
}

/**
 * Judges and stores a batch of spends in one transaction: locks and reads everything they touch in
 * one round trip, judges them in the order of their arrival, each seeing what the one before left,
 * and writes and commits in a second.
 *
 * A batch may hold several organizations. Their statements are sent in the order of the
 * organizations' ids, so that two processes never wait for each other in a circle.
 */
export async function decideBatch(
  parts: BatchParts,
  attempts: readonly Attempt[],
): Promise<Result[]> {
  const groups = byOrganization(attempts)
  const results = new Map<Attempt, Result>()
  const ledgers = await parts.db.transaction(async (tx) => {
    const ledgers = await Promise.all(
      groups.map(([organizationId, group]) => openLedger(tx, parts, organizationId, group)),
    )
    for (const [index, [, group]] of groups.entries()) {
      const ledger = ledgers[index]
      if (ledger) await judgeGroup(tx, ledger, group, results)
    }
    return ledgers
  })
  for (const { organizationId, hasWebhook } of ledgers) parts.onStored(organizationId, hasWebhook)
  return attempts.map(
    (attempt) => results.get(attempt) ?? { failure: new Error('A spend was not judged.') },
  )
}

function byOrganization(attempts: readonly Attempt[]): [string, Attempt[]][] {
  const groups = new Map<string, Attempt[]>()
  for (const attempt of attempts) {
    const group = groups.get(attempt.spend.organizationId)
    if (group) group.push(attempt)
    else groups.set(attempt.spend.organizationId, [attempt])
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

async function judgeGroup(
  tx: Tx,
  ledger: Ledger,
  attempts: readonly Attempt[],
  results: Map<Attempt, Result>,
): Promise<void> {
  const books = openBooks(ledger)
  const live = [...ledger.keys.values()].filter((row) => !isPastItsTime(row, ledger.now))
  const answered = await findAnswered(tx, ledger.organizationId, live)
  // By key: a repeat in the same batch is given what the first one is given.
  const first = new Map<string, Attempt>()
  for (const attempt of attempts) {
    const key = attempt.idempotency?.key
    const earlier = key === undefined ? undefined : first.get(key)
    const result = earlier ? repeat(attempt, earlier, results) : judge(attempt)
    results.set(attempt, result)
    // One that was refused has not taken the key.
    if (key !== undefined && !('failure' in result)) first.set(key, attempt)
  }
  for (const statement of books.statements()) tx.send(statement)

  function judge(attempt: Attempt): Result {
    // Whatever is thrown here concerns this spend alone, and nothing of it was recorded.
    try {
      return answered(attempt.idempotency) ?? judgeNew(ledger, books, attempt)
    } catch (failure) {
      return { failure }
    }
  }
}

/** Answers that are stored already under the attempts' keys; a further query only if there are any. */
async function findAnswered(
  tx: Tx,
  organizationId: string,
  rows: readonly DecisionKeyRow[],
): Promise<(idempotency: Attempt['idempotency']) => Outcome | undefined> {
  if (rows.length === 0) return () => undefined
  const ids = rows.flatMap(({ transactionId }) => transactionId ?? [])
  const outcomes = await findOutcomes(tx, organizationId, ids)
  const live = new Map(rows.map((row) => [row.key, row]))
  return (idempotency) => {
    const row = idempotency && live.get(idempotency.key)
    if (!row) return undefined
    const outcome = outcomes.get(row.transactionId ?? '')
    if (!outcome || !row.fingerprint.equals(idempotency.fingerprint)) throw keyReused()
    return { ...outcome, isReplay: true }
  }
}

/**
 * What was answered under a key, for paths that have something to do before they can ask for a
 * decision, and must not do it twice. Undefined when the key is new.
 */
export async function recallOutcome(
  parts: { readonly db: Database; readonly clock: (() => Instant) | undefined },
  organizationId: string,
  idempotency: NonNullable<Attempt['idempotency']>,
): Promise<Outcome | undefined> {
  return parts.db.transaction(async (tx) => {
    const rows = await findDecisionKeys(tx, organizationId, [idempotency.key])
    const live = rows.filter((row) => !isPastItsTime(row, parts.clock?.() ?? Date.now()))
    const answered = await findAnswered(tx, organizationId, live)
    return answered(idempotency)
  })
}

function repeat(attempt: Attempt, earlier: Attempt, results: ReadonlyMap<Attempt, Result>): Result {
  const [mine, theirs] = [attempt.idempotency?.fingerprint, earlier.idempotency?.fingerprint]
  if (!mine || !theirs?.equals(mine)) return { failure: keyReused() }
  const result = results.get(earlier)
  if (!result) throw new Error('The first spend of a key was not judged.')
  return 'failure' in result ? result : { ...result, isReplay: true }
}

function judgeNew(ledger: Ledger, books: Books, attempt: Attempt): Outcome {
  const { spend, idempotency } = attempt
  if (!ledger.spender(spend.agentId)) throw agentNotFound(spend.agentId)
  requireRoomInPlan(ledger, books.count)
  const decision = decide(spend, books.account(spend), ledger.now)
  const row = toDecisionRow(attempt, decision)
  const key = idempotency ? { ...idempotency, transactionId: row.id } : undefined
  books.record(decision, row, key, attempt.alongside)
  return { ...row, isReplay: false }
}

function requireRoomInPlan({ plan, used, now }: Ledger, counted: number): void {
  const limit = PLANS[plan].evaluationsPerMonth
  if (limit === null || used + counted < limit) return
  const { resetsAt: end } = usageMonth(now)
  const resetsAt = toIso(end)
  throw new Problem(
    'plan_limit_exceeded',
    `The plan ${plan} allows ${limit} evaluations a month, and they are used up until ${resetsAt}.`,
    {
      retryAfterSeconds: Math.ceil((end - now) / 1_000),
      extra: { plan, limit, used: used + counted, resetsAt },
    },
  )
}

function keyReused(): Problem {
  return new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
  )
}
