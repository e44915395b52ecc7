import { expect, test } from 'vitest'
import { METRICS, type Metric } from '../../src/metrics/catalogue.ts'
import { mergeSnapshots } from '../../src/metrics/merge.ts'
import { toPage } from '../../src/metrics/page.ts'
import { createRegistry } from '../../src/metrics/registry.ts'

test('the page has the values in the text format of Prometheus', async () => {
  const registry = createRegistry()
  const observe = registry.histogram('purser_batch_size')
  for (const size of [1, 2, 3, 300]) observe(size)
  registry.count('purser_decisions_total', ['card', 'rejected', 'budget_exceeded'], 2)
  registry.set('purser_build_info', [{ labels: ['1"\\\n', 'v20', 'postgres'], value: 1 }])
  expect(
    toPage(await registry.read()),
  ).toBe(`# HELP purser_decisions_total Spends that were decided.
# TYPE purser_decisions_total counter
purser_decisions_total{path="card",decision="rejected",code="budget_exceeded"} 2
# HELP purser_batch_size Spends that one database transaction decided.
# TYPE purser_batch_size histogram
purser_batch_size_bucket{le="1"} 1
purser_batch_size_bucket{le="2"} 2
purser_batch_size_bucket{le="4"} 3
purser_batch_size_bucket{le="8"} 3
purser_batch_size_bucket{le="16"} 3
purser_batch_size_bucket{le="32"} 3
purser_batch_size_bucket{le="64"} 3
purser_batch_size_bucket{le="128"} 3
purser_batch_size_bucket{le="256"} 3
purser_batch_size_bucket{le="+Inf"} 4
purser_batch_size_sum 306
purser_batch_size_count 4
# HELP purser_build_info Always 1; the labels describe the program.
# TYPE purser_build_info gauge
purser_build_info{version="1\\"\\\\\\n",node="v20",engine="postgres"} 1
`)
})

test('the snapshots of several workers become one, also after a trip through JSON', async () => {
  const workers = await Promise.all(
    [1, 2].map((worker) => {
      const registry = createRegistry()
      registry.count('purser_ratelimited_total', ['requests_per_minute'], worker)
      registry.histogram('purser_batch_size')(worker)
      registry.set('purser_sse_clients', [{ labels: [], value: worker }])
      registry.set('purser_holds_open', [{ labels: [], value: 7 }])
      registry.set('purser_reconciler_open', [{ labels: [`path${worker}`], value: 1 }])
      return registry.read()
    }),
  )
  const merged = mergeSnapshots(JSON.parse(JSON.stringify(workers)))
  expect(merged.purser_ratelimited_total).toEqual([{ labels: ['requests_per_minute'], value: 3 }])
  const counts = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
  expect(merged.purser_batch_size).toEqual([{ labels: [], value: 3, counts }])
  expect(merged.purser_sse_clients).toEqual([{ labels: [], value: 3 }])
  // Every worker reads the same database, so the value is not added.
  expect(merged.purser_holds_open).toEqual([{ labels: [], value: 7 }])
  expect(merged.purser_reconciler_open).toHaveLength(2)
})

test('a metric keeps a bounded number of combinations of labels', async () => {
  const registry = createRegistry()
  for (let at = 0; at < 6_000; at++) {
    registry.count('purser_api_requests_total', [`GET /${at}`, '200'])
  }
  const series = (await registry.read()).purser_api_requests_total ?? []
  expect(series).toHaveLength(5_001)
  expect(series.at(-1)).toEqual({ labels: ['other', 'other'], value: 1_000 })
})

test('names and units follow the conventions of Prometheus', () => {
  for (const [name, metric] of Object.entries<Metric>(METRICS)) {
    expect(name).toMatch(/^(purser|process|nodejs)_[a-z0-9_]+$/)
    expect([name, name.endsWith('_total')]).toEqual([name, metric.type === 'counter'])
    expect([name, metric.buckets !== undefined]).toEqual([name, metric.type === 'histogram'])
    expect(metric.help).toMatch(/^[^\n\\]+\.$/)
    for (const label of Object.keys(metric.labels ?? {})) {
      expect(['organization', 'agent', 'vendor', 'mandate', 'le']).not.toContain(label)
    }
  }
})
