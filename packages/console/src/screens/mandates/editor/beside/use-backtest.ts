import type { Backtest, BacktestInput, PurserError } from '@purser/sdk'
import { useEffect, useState } from 'react'
import { loadStreaming } from '../../../../data/load-streaming.ts'
import { pause } from '../../../../data/pause.ts'
import { asPurserError } from '../../../../data/use-action.ts'

const WAIT_MS = 1_200
/**
 * The gateway announces no end of a backtest, neither by an event nor by a list to watch. So the page
 * asks again after this pause while a different backtest runs.
 */
const AGAIN_MS = 2_000
/** A backtest reports its progress every second, so only a gateway that is gone runs into this. */
const MOST_MS = 600_000

export interface BacktestState {
  readonly state: 'idle' | 'running' | 'queued' | 'done' | 'failed'
  readonly replayed: number
  /** The last report. It stays while the next backtest runs. */
  readonly report: Backtest | undefined
  readonly error: PurserError | null
  readonly retry: () => void
}

/**
 * Backtests the rules 1.2 seconds after the last change. A new change aborts the backtest before.
 * One backtest runs at a time in an organization, so this one waits for others.
 */
export function useBacktest(id: string | undefined, input: BacktestInput | null): BacktestState {
  const [now, setNow] = useState<Omit<BacktestState, 'retry'>>({
    ...{ state: 'idle', replayed: 0, report: undefined, error: null },
  })
  const [round, setRound] = useState(0)
  const text = input ? JSON.stringify(input) : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` starts it again.
  useEffect(() => {
    if (id === undefined || text === null) {
      setNow((before) => ({ ...before, state: 'idle', report: undefined, error: null }))
      return
    }
    const abort = new AbortController()
    const timer = setTimeout(() => {
      void runBacktest(id, JSON.parse(text) as BacktestInput, abort.signal, (change) => {
        if (!abort.signal.aborted) setNow((before) => ({ ...before, ...change }))
      })
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [id, text, round])
  return { ...now, retry: () => setRound((before) => before + 1) }
}

type Tell = (change: Partial<BacktestState>) => void

async function runBacktest(
  id: string,
  input: BacktestInput,
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  tell({ state: 'running', replayed: 0, error: null })
  for (let refusals = 0; !signal.aborted; refusals += 1) {
    try {
      const options = {
        signal,
        timeoutMs: MOST_MS,
        onProgress: ({ replayed }: { readonly replayed: number }) =>
          tell({ state: 'running', replayed }),
      }
      const streaming = await loadStreaming(signal)
      const report = await streaming.mandates.backtest(id, input, options)
      tell({ state: 'done', report, error: null })
      return
    } catch (failure) {
      const error = asPurserError(failure)
      if (error?.code !== 'backtest_running') {
        tell({ state: 'failed', error })
        return
      }
      // The first refusal can be due to this page's own backtest, which has just been aborted.
      if (refusals > 0) tell({ state: 'queued' })
      await pause(AGAIN_MS, signal)
    }
  }
}
