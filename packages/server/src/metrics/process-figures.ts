import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Registry } from './registry.ts'

/** How often the delay of the event loop is measured. */
const RESOLUTION_MS = 50

/** Measures CPU, memory and event loop of this process. Returns a function that stops it. */
export function watchProcess(registry: Registry, startedAt: number): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let seen = performance.eventLoopUtilization()

  registry.onRead(() => {
    const one = (value: number) => [{ labels: [], value }]
    const { user, system } = process.cpuUsage()
    registry.set('process_cpu_seconds_total', one((user + system) / 1e6))
    const { rss, heapUsed } = process.memoryUsage()
    registry.set('process_resident_memory_bytes', one(rss))
    registry.set('nodejs_heap_size_used_bytes', one(heapUsed))
    registry.set('process_start_time_seconds', one(startedAt / 1_000))
    registry.set('nodejs_eventloop_lag_p50_seconds', one(toLag(delay.percentile(50))))
    registry.set('nodejs_eventloop_lag_p99_seconds', one(toLag(delay.percentile(99))))
    registry.set('nodejs_eventloop_lag_max_seconds', one(toLag(delay.max)))
    delay.reset()
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    registry.set('nodejs_eventloop_utilization_ratio', one(utilization))
  })
  return () => void delay.disable()
}

/** The histogram measures the whole interval, in nanoseconds. */
function toLag(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) / 1_000
}
