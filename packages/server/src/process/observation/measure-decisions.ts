import { Problem } from '../../base/errors.ts'
import { PATH_NAMES, type PathName } from '../../core/path.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Decided, Submission } from '../../gateway/submission.ts'
import type { Registry } from '../../metrics/registry.ts'

/** Counts decisions. Each decision calls one of these, so they must be cheap. */
interface DecisionMeter {
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

type Counters = Map<string, () => void>

interface PathMeter {
  readonly observe: (seconds: number) => void
  readonly replayed: () => void
  readonly approved: Counters
  readonly rejected: Counters
}

/** Counts decisions by path, decision and code. It looks up one map per decision. */
export function createDecisionMeter(registry: Registry): DecisionMeter {
  const meters = new Map(PATH_NAMES.map((path) => [path, createPathMeter(registry, path)]))

  return {
    decided(path, { decision, code, isReplay }, seconds) {
      const meter = meters.get(path)
      if (!meter) return
      if (isReplay) {
        meter.replayed()
        return
      }
      const counters = decision === 'approved' ? meter.approved : meter.rejected
      const known = counters.get(code)
      const count = known ?? registry.counter('purser_decisions_total', [path, decision, code])
      if (!known) counters.set(code, count)
      count()
      meter.observe(seconds)
    },
    failed(path, error) {
      const code = error instanceof Problem ? error.code : 'internal_error'
      registry.count('purser_decision_errors_total', [path, code])
    },
  }
}

function createPathMeter(registry: Registry, path: PathName): PathMeter {
  return {
    observe: registry.histogram('purser_decision_seconds', [path]),
    replayed: registry.counter('purser_decision_replays_total', [path]),
    approved: new Map(),
    rejected: new Map(),
  }
}
