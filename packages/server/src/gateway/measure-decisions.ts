import type { PathName } from '../core/path.ts'
import type { Gateway } from './gateway.ts'
import type { Decided, Submission } from './submission.ts'

/** Counts decisions. Each decision calls one of these, so they must be cheap. */
export interface DecisionMeter {
  decided(path: PathName, decided: Decided, seconds: number): void
  failed(path: PathName, error: unknown): void
}

/** Wraps the gateway so that it also measures each decision. Used only if metrics are on. */
export function measureDecisions(gateway: Gateway, meter: DecisionMeter): Gateway {
  function measured(
    { spend: { path }, receivedAt }: Pick<Submission, 'spend' | 'receivedAt'>,
    answer: Promise<Decided>,
  ): Promise<Decided> {
    return answer.then(
      (decided) => {
        meter.decided(path, decided, (performance.now() - receivedAt) / 1_000)
        return decided
      },
      (error: unknown) => {
        meter.failed(path, error)
        throw error
      },
    )
  }

  return {
    ...gateway,
    decide: (submission) => measured(submission, gateway.decide(submission)),
    record: (submission) => measured(submission, gateway.record(submission)),
  }
}
