import type { Snapshot } from '../../metrics/registry.ts'

/** A worker tells its primary that it serves. */
export interface ReadyMessage {
  readonly kind: 'ready'
  readonly url: string
  readonly publicUrl: string
}

/** The primary asks a worker to drain and to end. */
export interface DrainMessage {
  readonly kind: 'drain'
}

/** The primary asks a worker for its metrics. The answer has the same id. */
export interface ReadMetricsMessage {
  readonly kind: 'read_metrics'
  readonly id: number
}

export interface MetricsMessage {
  readonly kind: 'metrics'
  readonly id: number
  readonly snapshot: Snapshot
}

export function isReadMetrics(message: unknown): message is ReadMetricsMessage {
  return kindOf(message) === 'read_metrics'
}

export function isMetrics(message: unknown): message is MetricsMessage {
  return kindOf(message) === 'metrics'
}

export function isReady(message: unknown): message is ReadyMessage {
  return kindOf(message) === 'ready'
}

export function isDrain(message: unknown): message is DrainMessage {
  return kindOf(message) === 'drain'
}

function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'kind' in message
    ? message.kind
    : undefined
}
