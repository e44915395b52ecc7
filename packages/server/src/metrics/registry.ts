import {
  type CounterName,
  type GaugeName,
  type HistogramName,
  type MetricName,
  metricOf,
} from './catalogue.ts'

/** The value of a metric for one combination of labels. */
export interface Series {
  /** In the order of the catalogue. */
  readonly labels: readonly string[]
  /** For a histogram, the sum of all observations. */
  readonly value: number
  /** The observations of each bucket of a histogram; the last one has no upper bound. */
  readonly counts?: readonly number[]
}

/** All values at one instant, as plain JSON: a worker can send it to the process that serves them. */
export type Snapshot = Partial<Record<MetricName, readonly Series[]>>

/** The labels are in the order of the catalogue. */
export interface Registry {
  count(name: CounterName, labels: readonly string[], by?: number): void
  /** Returns a function that counts this combination of labels, for code that runs often. */
  counter(name: CounterName, labels: readonly string[]): () => void
  /** Returns a function that adds an observation, for code that runs often. */
  histogram(name: HistogramName, labels?: readonly string[]): (value: number) => void
  /** Replaces the values of a gauge, or of a counter that something else counts. */
  set(name: CounterName | GaugeName, series: readonly Series[]): void
  /** Called before each reading, to set the gauges. */
  onRead(read: () => void | Promise<void>): void
  read(): Promise<Snapshot>
}

interface Cell {
  readonly labels: readonly string[]
  value: number
  readonly counts?: number[]
}

/**
 * A defect could use labels without bound. So a metric has at most this many combinations, and
 * further ones are counted together.
 */
const SERIES_MAX = 5_000
const OTHER = 'other'

/**
 * Holds the values of all metrics. An observation is an addition to a number. prom-client needs
 * half a microsecond for it, and brings a version of the OpenTelemetry API that the trace SDK
 * refuses (ADR 60).
 */
export function createRegistry(): Registry {
  const cells = new Map<MetricName, Map<string, Cell>>()
  const readers: (() => void | Promise<void>)[] = []

  function cellOf(name: MetricName, labels: readonly string[]): Cell {
    const series = cells.get(name) ?? new Map<string, Cell>()
    cells.set(name, series)
    const key = labels.join('\n')
    const known = series.get(key)
    if (known) return known
    if (series.size >= SERIES_MAX && labels[0] !== OTHER) {
      return cellOf(
        name,
        labels.map(() => OTHER),
      )
    }
    const { buckets } = metricOf(name)
    const cell: Cell = {
      labels,
      value: 0,
      ...(buckets && { counts: new Array<number>(buckets.length + 1).fill(0) }),
    }
    series.set(key, cell)
    return cell
  }

  return {
    count(name, labels, by = 1) {
      cellOf(name, labels).value += by
    },
    counter(name, labels) {
      const cell = cellOf(name, labels)
      return () => {
        cell.value += 1
      }
    },
    histogram(name, labels = []) {
      const cell = cellOf(name, labels)
      const { buckets = [] } = metricOf(name)
      const { counts = [] } = cell
      return (value) => {
        cell.value += value
        let at = 0
        while (at < buckets.length && value > (buckets[at] ?? 0)) at += 1
        counts[at] = (counts[at] ?? 0) + 1
      }
    },
    set(name, series) {
      cells.delete(name)
      for (const { labels, value } of series) cellOf(name, labels).value = value
    },
    onRead: (read) => void readers.push(read),
    async read() {
      await Promise.all(readers.map((read) => read()))
      const snapshot: Snapshot = {}
      for (const [name, series] of cells) snapshot[name] = [...series.values()].map(copyOf)
      return snapshot
    },
  }
}

function copyOf({ labels, value, counts }: Cell): Series {
  return { labels, value, ...(counts && { counts: [...counts] }) }
}
