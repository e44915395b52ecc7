import { METRICS, type Metric, type MetricName, metricOf } from './catalogue.ts'
import type { Series, Snapshot } from './registry.ts'

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Writes the values in the text format of Prometheus, version 0.0.4, in the order of the catalogue. */
export function toPage(snapshot: Snapshot): string {
  const names = Object.keys(METRICS) as MetricName[]
  return names.map((name) => toSection(name, metricOf(name), snapshot[name] ?? [])).join('')
}

/** Empty for a metric without values. */
function toSection(name: MetricName, metric: Metric, series: readonly Series[]): string {
  if (series.length === 0) return ''
  const lines = series.flatMap((one) => linesOf(name, metric, one))
  return [`# HELP ${name} ${metric.help}`, `# TYPE ${name} ${metric.type}`, ...lines, ''].join('\n')
}

function linesOf(name: string, { labels = {}, buckets }: Metric, series: Series): string[] {
  const names = Object.keys(labels)
  const pairs = names.map((label, at) => `${label}="${escaped(series.labels[at] ?? '')}"`)
  if (!buckets) return [`${name}${braced(pairs)} ${toText(series.value)}`]
  let total = 0
  const counts = series.counts ?? []
  const bucketLines = [...buckets.map(toText), '+Inf'].map((bound, at) => {
    total += counts[at] ?? 0
    return `${name}_bucket${braced([...pairs, `le="${bound}"`])} ${total}`
  })
  return [
    ...bucketLines,
    `${name}_sum${braced(pairs)} ${toText(series.value)}`,
    `${name}_count${braced(pairs)} ${total}`,
  ]
}

function braced(pairs: readonly string[]): string {
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))
}

function toText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}
