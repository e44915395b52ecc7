import type { BacktestReport } from '../../src/core/replay/report.ts'
import type { Warning } from '../../src/core/rules/warnings.ts'
import type { Client } from './app.ts'
import { bodyOf } from './builders.ts'

type Report = BacktestReport & { readonly partial: boolean; readonly warnings: Warning[] }

/** Replays the past of a mandate's agent; the answer must be a report. */
export async function backtest(client: Client, mandateId: string, body: object): Promise<Report> {
  const answer = await client.post(`/mandates/${mandateId}/backtest`, body)
  bodyOf(answer)
  return JSON.parse(answer.text)
}
