import type { CallOptions } from '../client/call.ts'
import {
  ConflictError,
  ConnectionError,
  OutcomeUnknownError,
  PermissionError,
} from '../client/errors.ts'
import { badOption } from '../client/options.ts'
import type { Api } from '../generated/tree.ts'
import type { Evaluation, SpendInput, TransactionStatus } from '../generated/types/index.ts'
import {
  type ApprovedDecision,
  type Closing,
  createHold,
  type Hold,
  type OpenHold,
} from './hold.ts'
import { HOLD_EXPIRES_IN, openHold, type SpendOptions } from './open-hold.ts'
import { approvedOf, type RejectedSpend, toRejected } from './rejected-spend.ts'

/** A spend that was approved. Its function has run, and its hold is closed. */
export interface ApprovedSpend<T> {
  readonly decision: 'approved'
  /** The return value of the function. */
  readonly result: T
  readonly transactionId: string
  /** `settled`; `voided` or `expired` if the function said that no money moved. */
  readonly status: TransactionStatus
  /** The amount that was charged. */
  readonly settledAmount: number
  /** The decision with which the hold was opened. */
  readonly evaluation: ApprovedDecision
}

/** The outcome of a spend. Check `decision` first: the function of a rejected spend did not run. */
export type SpendResult<T> = ApprovedSpend<T> | RejectedSpend

/** The promise of a spend. A rejection is a value, unless `orThrow` makes it an error. */
export interface SpendCall<T> extends Promise<SpendResult<T>> {
  /** Rejects with a `SpendRejectedError` if the gateway rejected the spend. */
  orThrow(): Promise<ApprovedSpend<T>>
}

type SpendApi = Pick<Api, 'gateway' | 'approvals' | 'transactions'>

/** Places a hold, runs the function that pays, and settles the hold to the charged amount. */
export function spend<T>(
  api: SpendApi,
  input: SpendInput,
  run: (hold: Hold) => T | PromiseLike<T>,
  options: SpendOptions = {},
): SpendCall<T> {
  const outcome = spendOnce<T>(api, input, run, options)
  return Object.assign(outcome, { orThrow: () => outcome.then(approvedOf) })
}

async function spendOnce<T>(
  api: SpendApi,
  input: SpendInput,
  run: (hold: Hold) => T | PromiseLike<T>,
  options: SpendOptions,
): Promise<SpendResult<T>> {
  if (typeof run !== 'function') throw badOption('`spend` needs a function.')
  const opened = await openHold(api, input, options)
  const { evaluation } = opened
  if (!isApproved(evaluation)) return toRejected(opened)
  const lengthMs = toMs(input.hold?.expiresIn ?? HOLD_EXPIRES_IN)
  // The gateway counts from the time of its decision.
  const decidedAt = Date.parse(evaluation.evaluationDetails.evaluatedAt)
  const expiresAt = new Date(decidedAt + lengthMs).toISOString()
  // Money may have moved: the signal must not keep the gateway from hearing it.
  const { signal, idempotencyKey, timeoutMs, retries, headers } = options
  const call = { timeoutMs, retries, headers }
  const open = createHold(api.transactions, evaluation, expiresAt, call)
  // An answer that comes again to a key of the caller can be that of an earlier run, in this process
  // or in one that died. That run may have charged, so nothing here takes its hold away.
  const isRerun = opened.isRepeated && idempotencyKey !== undefined
  if (isRerun) await requireResumable(api, open.hold, options.resume === true, call)
  requireScope(open.hold)
  // The clocks of two machines differ. But the hold is not older than the request for it.
  const isLate = !isRerun && performance.now() - opened.askedAt >= lengthMs
  if (isLate || signal?.aborted) throw isRerun ? repeated(open.hold) : await notRun(open, signal)
  let result: T
  try {
    result = await run(open.hold)
  } catch (thrown) {
    throw await errorAfter(open, thrown)
  }
  const closing = open.closing() ?? open.close(evaluation.amount)
  const { status, settledAmount } = await closing.closed.catch((error: unknown) => {
    throw closeFailed(open.hold, closing, error, { result })
  })
  const { transactionId } = evaluation
  return { decision: 'approved', result, transactionId, status, settledAmount, evaluation }
}

function isApproved(evaluation: Evaluation): evaluation is ApprovedDecision {
  return evaluation.decision === 'approved'
}

/** Refuses to run the function again, unless the caller allows it and the hold is still open. */
async function requireResumable(
  { transactions }: SpendApi,
  hold: Hold,
  mayResume: boolean,
  call: CallOptions,
): Promise<void> {
  const { status, settledAmount } = await transactions.get(hold.transactionId, call)
  if (status === 'held') {
    if (mayResume) return
    throw repeated(hold)
  }
  throw new ConflictError(
    `A spend with this \`idempotencyKey\` is closed: transaction ${hold.transactionId} is ${status}, with ${settledAmount} settled. The function did not run again.`,
    { code: 'hold_closed' },
  )
}

function repeated(hold: Hold): OutcomeUnknownError {
  return new OutcomeUnknownError(
    `A spend with this \`idempotencyKey\` was begun before. The function did not run, because it might charge twice. ${howToClose(hold)} If the function can run twice without charging twice, pass \`resume: true\`.`,
    { code: 'spend_repeated' },
    { ...hold, charged: null, result: undefined },
  )
}

function requireScope({ evaluation }: Hold): void {
  if (!evaluation.missingScope) return
  throw new PermissionError(
    `The API key lacks the scope ${evaluation.missingScope}, so it cannot settle a hold. The function did not run.`,
    { code: 'insufficient_scope' },
  )
}

/** Releases a hold whose function will not run. */
async function notRun(open: OpenHold, signal: AbortSignal | undefined): Promise<ConnectionError> {
  const hold = await open.close(0).closed.then(
    () => 'is released',
    () => `expires at ${open.hold.expiresAt}`,
  )
  const why = signal?.aborted
    ? 'The caller aborted the spend.'
    : 'The decision came so late that the hold may have expired.'
  return new ConnectionError(`${why} The function did not run, and its hold ${hold}.`, {
    code: signal?.aborted ? 'aborted' : 'timeout',
    cause: signal?.reason,
  })
}

/** Returns the error of a spend whose function threw. */
async function errorAfter(open: OpenHold, thrown: unknown): Promise<unknown> {
  const { hold } = open
  const isNothingCharged = open.isNothingCharged(thrown)
  const closing = open.closing() ?? (isNothingCharged ? open.close(0) : undefined)
  if (!closing) {
    return new OutcomeUnknownError(
      `The function failed and did not say whether it charged. ${howToClose(hold)}`,
      { code: 'outcome_unknown', cause: thrown },
      { ...hold, charged: null, result: undefined },
    )
  }
  return closing.closed.then(
    () => thrown,
    (error: unknown) => closeFailed(hold, closing, error, isNothingCharged ? {} : { thrown }),
  )
}

/** Returns the error of a spend whose outcome the function knows, but perhaps not the gateway. */
function closeFailed<T>(
  hold: Hold,
  { action, charged, idempotencyKey }: Closing,
  error: unknown,
  ended: { readonly result?: T; readonly thrown?: unknown },
): OutcomeUnknownError<T> {
  const said =
    charged === null ? 'The function is done' : `The function charged ${charged || 'nothing'}`
  const cause = 'thrown' in ended ? new AggregateError([error, ended.thrown]) : error
  return new OutcomeUnknownError<T>(
    `${said}, but the gateway did not confirm it: ${(error as Error).message} ${howToClose(hold, charged)}`,
    { code: `${action}_failed`, idempotencyKey, cause },
    { ...hold, charged, result: ended.result },
  )
}

/** Says how to close the hold by hand, to the charged amount if it is known. */
function howToClose(hold: Hold, charged: number | null = null): string {
  const { transactionId: id, amount, expiresAt } = hold
  // The gateway takes six decimals. A charge is never reported as less than it was.
  const micros = Math.ceil(Math.min(charged ?? 0, amount) * 1e6 - 1e-3)
  const known = charged === null ? 'amount' : `amount: ${micros / 1e6}`
  const settle = `\`purser.transactions.settle('${id}', { ${known} })\``
  const release = `\`purser.transactions.void('${id}')\``
  const either = `${settle} if money moved, or ${release} if no money moved`
  const call = charged === null ? either : charged ? settle : release
  return `The hold of ${amount} on transaction ${id} lasts until ${expiresAt}. Close it: call ${call}.`
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 }

/** The length of `90s`, `15m`, `2h` or `7d`. The gateway refuses every other form. */
function toMs(duration: string): number {
  return Number.parseInt(duration, 10) * (UNIT_MS[duration.slice(-1)] ?? 0)
}
