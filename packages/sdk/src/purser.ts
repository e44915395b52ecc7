import { buildTree } from './client/build-tree.ts'
import { type Call, type CallOptions, createDecisionCall } from './client/call.ts'
import { type PurserOptions, readOptions } from './client/options.ts'
import { OPERATIONS } from './generated/operations.ts'
import type {
  Api,
  ApprovalsApi,
  AuditLogApi,
  EventsApi,
  MandatesApi,
  TransactionsApi,
  X402Api,
} from './generated/tree.ts'
import type {
  Approval,
  Backtest,
  BacktestInput,
  ExportTransactionsQuery,
  ListedTransaction,
  SpendInput,
} from './generated/types/index.ts'
import type { Hold } from './spend/hold.ts'
import type { SpendOptions } from './spend/open-hold.ts'
import { type SpendCall, spend } from './spend/spend.ts'
import { type ApprovalWaitOptions, waitForApproval } from './spend/wait-for-approval.ts'
import { type BacktestOptions, backtest } from './streams/backtest.ts'
import { type EventStreamOptions, type StreamedEvent, streamEvents } from './streams/events.ts'
import { type AuditExportOptions, exportAuditLog, exportTransactions } from './streams/exports.ts'
import { payAndFetch, type X402FetchOptions } from './x402/fetch.ts'
import { sendPayment } from './x402/send-payment.ts'
import type { X402RequestInit } from './x402/vendor-request.ts'

/** The client of a gateway: every operation of its API, and helpers. */
export interface Purser extends Omit<Api, keyof Extended>, Extended {}

/** The resources to which this package adds methods. */
interface Extended {
  /**
   * Places a hold, runs the function that pays, and settles the hold to the amount that the function
   * passes to `hold.settle`, or else to the held amount. A rejection is a value, and the function
   * does not run.
   *
   * If the function throws, the hold stays and `OutcomeUnknownError` says how to close it, because
   * money may have moved. The hold is voided only if the function says that nothing was charged:
   * with `hold.void()`, or with `throw hold.nothingCharged(cause)`.
   */
  spend<T>(
    input: SpendInput,
    run: (hold: Hold) => T | PromiseLike<T>,
    options?: SpendOptions,
  ): SpendCall<T>
  readonly events: EventsApi & {
    /** Follows the event feed: each event once, without a gap, until the signal is aborted. */
    stream(
      from?: EventStreamOptions,
      options?: Pick<CallOptions, 'signal'>,
    ): AsyncGenerator<StreamedEvent>
  }
  readonly transactions: TransactionsApi & {
    /** Reads all transactions that the filters find, newest first. Resumes after a lost connection. */
    export(
      query?: Omit<ExportTransactionsQuery, 'format'>,
      options?: CallOptions,
    ): AsyncGenerator<ListedTransaction>
  }
  readonly approvals: ApprovalsApi & {
    /**
     * Waits for a person's decision, also over lost connections. Returns the approval when it is
     * decided or has expired. When the time is over first, it returns the approval too: it is then
     * still `pending`.
     */
    wait(id: string, options?: ApprovalWaitOptions): Promise<Approval>
  }
  readonly auditLog: AuditLogApi & {
    /** Reads the lines of an export that `purser verify` can verify. */
    export(from?: AuditExportOptions, options?: CallOptions): AsyncGenerator<string>
  }
  readonly mandates: Omit<MandatesApi, 'backtest'> & {
    /** Backtests rules against the agent's history. Nothing is changed. */
    backtest(id: string, input: BacktestInput, options?: BacktestOptions): Call<Backtest>
  }
  readonly x402: X402Api & {
    /**
     * Lets the gateway request the URL and pay for it, and returns the response of the vendor. Throws
     * a `SpendRejectedError` if the mandate does not allow the payment, and an `X402Error`, which
     * says whether money moved, if there is no complete delivery.
     */
    fetch(
      url: string | URL | Request,
      init: X402RequestInit | undefined,
      options: X402FetchOptions,
    ): Promise<Response>
  }
}

/** Makes a client. No request is sent before the first call. */
export const Purser: new (options?: PurserOptions) => Purser = class {
  constructor(options: PurserOptions = {}) {
    // The settings hold the key, so no property leads to them.
    const settings = readOptions(options)
    const api = buildTree(settings, OPERATIONS) as unknown as Api
    Object.assign(this, api, {
      spend: (...args: Parameters<Purser['spend']>) => spend(api, ...args),
      events: {
        ...api.events,
        stream: (...args: Parameters<Purser['events']['stream']>) =>
          streamEvents(settings, ...args),
      },
      transactions: {
        ...api.transactions,
        export: (...args: Parameters<Purser['transactions']['export']>) =>
          exportTransactions(settings, ...args),
      },
      approvals: {
        ...api.approvals,
        wait: (...args: Parameters<Purser['approvals']['wait']>) =>
          waitForApproval(api.approvals.get, ...args),
      },
      auditLog: {
        ...api.auditLog,
        export: (...args: Parameters<Purser['auditLog']['export']>) =>
          exportAuditLog(settings, ...args),
      },
      mandates: {
        ...api.mandates,
        backtest: (...args: Parameters<Purser['mandates']['backtest']>) =>
          backtest(settings, ...args),
      },
      x402: {
        ...api.x402,
        pay: (...args: Parameters<Purser['x402']['pay']>) =>
          createDecisionCall(sendPayment(settings, ...args)),
        fetch: (...args: Parameters<Purser['x402']['fetch']>) => payAndFetch(settings, ...args),
      },
    })
  }
} as never
