import { Problem } from '../base/errors.ts'
import { PATH_NAMES, type PathName } from '../core/path.ts'
import type { Registry } from './registry.ts'

interface Decided {
  readonly decision: string
  readonly code: string
  readonly isReplay: boolean
}

type Counters = Map<string, () => void>

interface PathMeter {
  readonly observe: (seconds: number) => void
  readonly replayed: () => void
  readonly approved: Counters
  readonly rejected: Counters
}

/** Counts decisions by path, decision and code. It looks up one map per decision. */
export function createDecisionMeter(registry: Registry) {
  const meters = new Map(PATH_NAMES.map((path) => [path, createPathMeter(registry, path)]))

  return {
    decided(path: PathName, { decision, code, isReplay }: Decided, seconds: number): void {
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
    failed(path: PathName, error: unknown): void {
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
