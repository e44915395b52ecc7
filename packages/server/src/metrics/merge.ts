import { type Metric, type MetricName, metricOf } from './catalogue.ts'
import type { Series, Snapshot } from './registry.ts'

/**
 * Makes one snapshot of those of several workers. Counters, histograms and most gauges are added.
 * Values that every worker reads from the same place become their maximum.
 */
export function mergeSnapshots(snapshots: readonly Snapshot[]): Snapshot {
  const merged: Snapshot = {}
  for (const snapshot of snapshots) {
    for (const name of Object.keys(snapshot) as MetricName[]) {
      merged[name] = mergeSeries(metricOf(name), merged[name] ?? [], snapshot[name] ?? [])
    }
  }
  return merged
}

/** Counters and histograms: they keep their meaning after their process has ended. */
export function countersOf(snapshot: Snapshot): Snapshot {
  const names = Object.keys(snapshot) as MetricName[]
  const counters = names.filter((name) => metricOf(name).type !== 'gauge')
  return Object.fromEntries(counters.map((name) => [name, snapshot[name]]))
}

function mergeSeries(
  { merged, isStored }: Metric,
  before: readonly Series[],
  more: readonly Series[],
): Series[] {
  const isMax = merged === 'max' || isStored === true
  const all = new Map(before.map((series) => [series.labels.join('\n'), series]))
  for (const series of more) {
    const key = series.labels.join('\n')
    const known = all.get(key)
    all.set(key, known ? mergeTwo(known, series, isMax) : series)
  }
  return [...all.values()]
}

function mergeTwo(one: Series, other: Series, isMax: boolean): Series {
  const value = isMax ? Math.max(one.value, other.value) : one.value + other.value
  const counts = one.counts?.map((count, at) => count + (other.counts?.[at] ?? 0))
  return { labels: one.labels, value, ...(counts && { counts }) }
}
