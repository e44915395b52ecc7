import type { Log } from '../base/log.ts'
import type { IdempotencyKey } from '../core/idempotency.ts'
import type { Micros } from '../core/money.ts'
import type { Spend } from '../core/spend.ts'
import type { Transaction, TransactionFlag } from '../core/transaction.ts'
import type { Clock } from '../storage/engine/clock.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { hasTimedOut, isRolledBack } from '../storage/engine/storage-error.ts'
import type { LastUse } from '../storage/last-use.ts'
import { type BacktestOrder, type BegunBacktest, createBacktests } from './backtest/backtests.ts'
import type { ApprovalUrl } from './batch/asks.ts'
import { decideBatch, type OnStored } from './batch/decide-batch.ts'
import { recallDecided } from './batch/find-answered.ts'
import type { QueuedSubmission } from './deadlines/deadline.ts'
import { createInTime } from './deadlines/decide-in-time.ts'
import { adjustTransactions, type Targets } from './holds/adjust.ts'
import { type Capture, captureHold, refund } from './holds/captures.ts'
import type { OnChanged } from './holds/change-transactions.ts'
import { endWithProof, type HoldEnds } from './holds/end-holds.ts'
import { startHoldSweeper } from './holds/hold-sweeper.ts'
import { type Ender, raiseHold, type Settlement, settleHold, voidHold } from './holds/holds.ts'
import { startPastCounter } from './past/past-counter.ts'
import { createPolicyCache } from './policy-cache.ts'
import { type Preview, previewDecision } from './preview.ts'
import type { Trial } from './preview-lines.ts'
import { type Batcher, createBatcher } from './queue/batcher.ts'
import type { LaneNumbers } from './queue/lane-turns.ts'
import { createLanes } from './queue/lanes.ts'
import { type Reevaluated, reevaluate } from './reevaluate.ts'
import type { Decided, Submission } from './submission.ts'

/**
 * Bounds how long the first caller of a batch waits for the last one; it was not tuned by
 * measurement.
 */
const BATCH_SIZE_MAX = 256
/**
 * More callers make batches so large that it is worth more when the gateway works on the next one
 * while PostgreSQL works on the last one.
 */
const GATHERING_MAX = 32
/**
 * The limit per organization: it bounds the memory and the wait. Callers beyond it get `overloaded`
 * and should retry.
 */
const WAITING_MAX = 4_096
/**
 * All lanes, including those for deadlines, use at most 12 of the connections (postgres.ts). There
 * are more lanes than one organization may use, so that the next organization mostly finds a free
 * one.
 */
const LANES = { shared: 4, own: 4 }
const LANES_FOR_DEADLINES = { shared: 2, own: 2, perOrganization: 1 }

export interface Gateway {
  /**
   * Judges, stores, and only then resolves. The exception is the decline at a deadline, which does
   * not wait for storage. Rejects with a Problem if the spend was not judged.
   */
  decide(submission: Submission): Promise<Decided>
  /**
   * Books money that moved without a decision, once per Idempotency-Key. It is approved whatever
   * the rules say, with the code `recorded` and the flag `ungoverned`. Only for paths, which have
   * proof that the money moved.
   */
  record(submission: Omit<Submission, 'answerBy'>): Promise<Decided>
  /**
   * The decision stored under this Idempotency-Key. Rejects if a different request used the key.
   */
  recall(organizationId: string, idempotency: IdempotencyKey): Promise<Decided | undefined>
  /**
   * The decision that would be made now, optionally under other terms or at another instant. Stores
   * and holds nothing.
   */
  preview(spend: Spend, trial: Trial | undefined): Promise<Preview>
  /**
   * Judges the inputs of an earlier decision with today's code. Returns undefined if there is no
   * such transaction. Rejects if its inputs are not stored.
   */
  reevaluate(organizationId: string, id: string): Promise<Reevaluated | undefined>
  /**
   * Starts a backtest: replays an agent's past through other rules. Rejects while one is running.
   */
  beginBacktest(order: BacktestOrder): Promise<BegunBacktest>
  /** Ends all running backtests with partial results. Otherwise callers may wait up to an hour. */
  endBacktests(): Promise<void>
  /** Runs in the caller's transaction. Returns undefined if there is no such transaction. */
  settle(place: TransactionPlace, settlement: Settlement): Promise<Transaction | undefined>
  /**
   * Ends open holds of an organization together: each is settled in full or released. Only for
   * paths, which have proof. Returns the holds that were open.
   */
  endAll(
    place: Omit<TransactionPlace, 'id'>,
    ends: HoldEnds,
    flag?: TransactionFlag,
  ): Promise<readonly Transaction[]>
  /**
   * Brings the transactions of one purchase to their target amounts, whatever their state was. Only
   * for paths. A path derives the targets from all its facts, so that the order in which the facts
   * arrived does not matter. One call must contain all transactions of the purchase. Returns the
   * transactions that changed.
   */
  adjust(place: Omit<TransactionPlace, 'id'>, targets: Targets): Promise<readonly Transaction[]>
  /** Raises the hold because a provider has reserved more. Only for paths. */
  raise(place: TransactionPlace, amount: Micros): Promise<Transaction | undefined>
  /**
   * Books a capture of a hold: partial, full, or beyond the held amount. Only for paths, which have
   * proof of it.
   */
  capture(place: TransactionPlace, capture: Capture): Promise<Transaction | undefined>
  void(place: TransactionPlace, by: Ender): Promise<Transaction | undefined>
  refund(place: TransactionPlace, amount: Micros | undefined): Promise<Transaction | undefined>
  /**
   * Releases overdue holds of the organization, at most one batch. Called before a budget is shown.
   */
  releaseOverdue(organizationId: string): Promise<void>
  /** Wakes the past counter, because a rule was added whose past could not be counted at once. */
  countPast(): void
  /** How many spends wait for their batch. */
  queued(): number
  /** Resolves when all submitted spends are decided and the sweeper has stopped. */
  stop(): Promise<void>
}

export interface TransactionPlace {
  readonly tx: Tx
  readonly organizationId: string
  readonly id: string
  /** Called with each transaction that has changed. */
  readonly onChanged?: OnChanged
}

export interface GatewayParts {
  readonly db: Database
  /**
   * The maximum of concurrent batches per organization, between 1 and 4. The embedded engine has
   * one connection and always one lane.
   */
  readonly lanesMax: number
  /** Spends that one transaction decides at most; 256 if omitted. */
  readonly batchSizeMax?: number | undefined
  readonly agentUse: LastUse
  readonly onStored: OnStored
  readonly approvalUrl: ApprovalUrl
  readonly clock: Clock
  readonly log: Log
  /** Called after each batch that was stored. Absent unless metrics are on. */
  readonly onBatch?: OnBatch | undefined
}

type Queue = Batcher<QueuedSubmission, Decided>

/** Observes a batch: how many spends it had, and how long it took. */
export type OnBatch = (size: number, ms: number) => void

/**
 * Spends run in lanes; each lane has one batch in progress. The choice of a lane affects only speed
 * and waiting times. Correctness comes from the locks (ADR 24).
 */
export function createGateway(parts: GatewayParts): Gateway {
  const { db, lanesMax, agentUse, onStored, approvalUrl, clock, log } = parts
  const { batchSizeMax = BATCH_SIZE_MAX, onBatch } = parts
  const policyCache = createPolicyCache()
  const sweeper = startHoldSweeper({ db, policyCache, clock, log })
  const { sweepLine, sweepLineOnRequest } = sweeper
  const pastCounter = startPastCounter({ db, policyCache, clock: clock.read, log })
  let decided = 0
  const backtests = createBacktests({ db, clock, decided: () => decided })
  const batchParts = { db, policyCache, clock, onStored, onStuck, sweepLine, approvalUrl }
  const at = (place: TransactionPlace) => ({ ...place, policyCache, clock })
  const runBatch = (submissions: readonly QueuedSubmission[]) =>
    decideBatch(batchParts, submissions)
  const createQueue = (lanes: LaneNumbers, gatheringMax: number): Queue => {
    const options = {
      run: onBatch ? measured(runBatch, onBatch) : runBatch,
      isolates: (error: unknown) => isRolledBack(error) && !hasTimedOut(error),
      organizationOf: ({ spend }: QueuedSubmission) => spend.organizationId,
      agentOf: ({ spend }: QueuedSubmission) => spend.agentId,
      nodes: db.nodes,
      lanes,
      batchSizeMax,
      waitingMax: WAITING_MAX,
      gatheringMax: Math.min(gatheringMax, batchSizeMax),
    }
    return db.engine === 'embedded' ? createBatcher(options) : createLanes(options)
  }
  const unhurried = createQueue({ ...LANES, perOrganization: lanesMax }, GATHERING_MAX)
  // Spends with a deadline have their own lanes, because their batches may have to undo decisions,
  // and wait for no other callers.
  const hurried = createQueue(LANES_FOR_DEADLINES, 0)

  const submit = (submission: QueuedSubmission) =>
    (submission.deadline ? hurried : unhurried).submit(submission)
  const inTime = createInTime({ db, policyCache, clock, log, submit })
  function onStuck(submission: QueuedSubmission, error: unknown): void {
    inTime.pursue(submission, error)
  }

  async function decide(submission: Submission): Promise<Decided> {
    db.requireRoom?.()
    decided += 1
    const { answerBy } = submission
    const answer = await (answerBy === undefined
      ? submit(submission)
      : inTime.decide(submission, answerBy))
    agentUse.note(submission.spend.organizationId, answer.agentId)
    return answer
  }

  return {
    decide,
    record: (submission) => decide({ ...submission, isUnasked: true }),
    recall: (organizationId, idempotency) =>
      recallDecided({ db, clock }, organizationId, idempotency),
    preview: (spend, trial) => {
      const previewParts = { db, policyCache, clock, sweepLine: sweepLineOnRequest }
      return previewDecision(previewParts, spend, trial)
    },
    reevaluate: (organizationId, id) => reevaluate(db, organizationId, id),
    beginBacktest: backtests.begin,
    endBacktests: backtests.stop,
    settle: (place, settlement) => settleHold(at(place), settlement),
    endAll: (place, ends, flag) => endWithProof({ ...place, policyCache, clock }, ends, flag),
    adjust: (place, targets) => adjustTransactions({ ...place, policyCache, clock }, targets),
    raise: (place, amount) => raiseHold(at(place), amount),
    capture: (place, capture) => captureHold(at(place), capture),
    void: (place, by) => voidHold(at(place), by),
    refund: (place, amount) => refund(at(place), amount),
    releaseOverdue: sweeper.sweep,
    countPast: pastCounter.wake,
    queued: () => unhurried.waiting + hurried.waiting,
    async stop() {
      await Promise.all([sweeper.stop(), pastCounter.stop(), backtests.stop()])
      await Promise.all([unhurried.drain(), hurried.drain()])
      await inTime.stop()
    },
  }
}

function measured<Job, Result>(
  run: (jobs: readonly Job[]) => Promise<Result>,
  onBatch: OnBatch,
): (jobs: readonly Job[]) => Promise<Result> {
  return async (jobs) => {
    const began = performance.now()
    const results = await run(jobs)
    onBatch(jobs.length, performance.now() - began)
    return results
  }
}
