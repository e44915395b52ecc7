import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { METRICS, type Metric } from '../../src/metrics/catalogue.ts'
import { toPage } from '../../src/metrics/page.ts'
import { createRegistry } from '../../src/metrics/registry.ts'
import { findPrometheusProgram, runPromtool } from '../support/prometheus.ts'

const DEPLOY = resolve(import.meta.dirname, '../../../../deploy')
const ALERTS = join(DEPLOY, 'prometheus/alerts.yml')

/** Every series that a page can have, with the suffixes of histograms. */
const SERIES = new Set(
  Object.entries<Metric>(METRICS).flatMap(([name, { type }]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
)

function metricsIn(expression: string): string[] {
  return expression.match(/\b(?:purser|process|nodejs)_[a-z0-9_]+/g) ?? []
}

describe('the Grafana dashboard', () => {
  const text = readFileSync(join(DEPLOY, 'grafana/purser.json'), 'utf8')
  const dashboard: {
    readonly panels: readonly {
      readonly title: string
      readonly gridPos: { readonly x: number; readonly y: number }
      readonly targets: readonly { readonly expr: string }[]
    }[]
  } = JSON.parse(text)

  test('names only metrics that exist', () => {
    const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    expect(expressions.length).toBeGreaterThan(30)
    expect(expressions.filter((one) => metricsIn(one).length === 0)).toEqual([])
    expect(expressions.flatMap(metricsIn).filter((name) => !SERIES.has(name))).toEqual([])
  })

  test('shows every metric of the gateway but those about the program itself', () => {
    const shown = metricsIn(text).map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    const hidden = Object.keys(METRICS).filter((name) => !shown.includes(name))
    expect(hidden).toEqual(['process_start_time_seconds'])
  })

  test('has no two panels in one place', () => {
    const places = dashboard.panels.map(({ gridPos: { x, y } }) => `${x},${y}`)
    expect(new Set(places).size).toBe(places.length)
  })
})

test('alert rules name only metrics that exist', () => {
  const expressions = readFileSync(ALERTS, 'utf8').replace(/^#.*$|^ *(summary|action):.*$/gm, '')
  const names = metricsIn(expressions).filter((name) => name !== 'purser_')
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !SERIES.has(name))).toEqual([])
})

const promtool = findPrometheusProgram('promtool')

describe.skipIf(promtool === undefined)('promtool', () => {
  const run = (parameters: readonly string[], input?: string) =>
    runPromtool(promtool ?? '', parameters, input)

  test('accepts the alert rules and the configuration', () => {
    expect(run(['check', 'rules', ALERTS])).toMatchObject({ status: 0 })
    const config = join(DEPLOY, 'prometheus/prometheus.yml')
    expect(run(['check', 'config', config])).toMatchObject({ status: 0 })
  })

  test('accepts a page with every metric', async () => {
    const registry = createRegistry()
    for (const name of Object.keys(METRICS) as (keyof typeof METRICS)[]) {
      const { type, labels = {} }: Metric = METRICS[name]
      const values = Object.keys(labels)
      if (type === 'histogram') registry.histogram(name as 'purser_batch_size', values)(0.02)
      else registry.set(name as 'purser_sse_clients', [{ labels: values, value: 1.5 }])
    }
    const page = toPage(await registry.read())
    expect(page.match(/^# TYPE/gm)).toHaveLength(Object.keys(METRICS).length)
    expect(run(['check', 'metrics'], page)).toEqual({ status: 0, output: '' })
  })
})
