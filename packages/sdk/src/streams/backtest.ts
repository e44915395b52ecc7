import { type Answer, type Call, type CallOptions, createCall } from '../client/call.ts'
import { ConnectionError, errorOf } from '../client/errors.ts'
import { fillIn } from '../client/fill-in.ts'
import { readJsonLines } from '../client/lines.ts'
import type { Settings } from '../client/options.ts'
import { send } from '../client/send.ts'
import type { Backtest, BacktestInput, Problem } from '../generated/types/index.ts'

/** How far a backtest is. */
export interface BacktestProgress {
  /** Number of decisions that were replayed so far. */
  readonly replayed: number
  /** When the last of them was made; null before the first. */
  readonly replayedTo: string | null
}

/** The options of a backtest. */
export interface BacktestOptions extends CallOptions {
  /**
   * Called about once a second. With it the backtest may take longer than one answer: abort the
   * signal to stop it.
   */
  readonly onProgress?: (progress: BacktestProgress) => void
}

interface BacktestLine {
  readonly progress?: BacktestProgress
  readonly report?: Backtest
  readonly problem?: Problem
}

/** Replays history with other rules, and tells the progress if the caller wants to know it. */
export function backtest(
  settings: Settings,
  mandateId: string,
  input: BacktestInput,
  { onProgress, ...options }: BacktestOptions = {},
): Call<Backtest> {
  return createCall(run(settings, mandateId, input, options, onProgress))
}

async function run(
  settings: Settings,
  mandateId: string,
  body: BacktestInput,
  options: CallOptions,
  onProgress: BacktestOptions['onProgress'],
): Promise<Answer<Backtest>> {
  const path = fillIn('/mandates/{id}/backtest', [mandateId])
  const request = { method: 'POST', path, body }
  if (!onProgress) return send<Backtest>(settings, request, options)
  const accept = 'application/x-ndjson'
  const read = async (response: Response) => response
  const answer = await send<Response>(settings, { ...request, accept, read }, options)
  return readReport(answer, onProgress)
}

async function readReport(
  { response, requestId }: Answer<Response>,
  onProgress: (progress: BacktestProgress) => void,
): Promise<Answer<Backtest>> {
  for await (const { value } of readJsonLines<BacktestLine>(
    response.body ?? new ReadableStream(),
  )) {
    const { progress, report, problem } = value
    if (progress) onProgress(progress)
    if (report) return { data: report, response, requestId }
    if (problem) throw errorOf(problem.detail, { ...problem, problem, requestId })
  }
  throw new ConnectionError('The backtest broke off. Nothing was changed; run it again.', {
    code: 'network_error',
    requestId,
  })
}
