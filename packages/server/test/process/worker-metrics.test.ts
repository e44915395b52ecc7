import { expect, test } from 'vitest'
import type { Snapshot } from '../../src/metrics/registry.ts'
import { createWorkerTotals } from '../../src/process/workers/worker-metrics.ts'

const figures = (approved: number, sockets: number): Snapshot => ({
  purser_decisions_total: [{ labels: ['evaluate', 'approved', 'approved'], value: approved }],
  purser_sse_clients: [{ labels: [], value: sockets }],
})

test('the counters of workers that hang, end and are replaced never fall', async () => {
  const answers = new Map<string, Snapshot | undefined>()
  const totals = createWorkerTotals(async (worker: string) => answers.get(worker))
  const read = async () => {
    const merged = await totals.read()
    return [merged.purser_decisions_total?.[0]?.value, merged.purser_sse_clients?.[0]?.value]
  }
  totals.begin('a')
  totals.begin('b')
  answers.set('a', figures(10, 1)).set('b', figures(5, 2))
  expect(await read()).toEqual([15, 3])
  answers.set('a', figures(12, 1)).set('b', undefined)
  expect(await read()).toEqual([17, 3])
  totals.end('b')
  expect(await read()).toEqual([17, 1])
  totals.begin('c')
  answers.set('c', figures(1, 1))
  expect(await read()).toEqual([18, 2])
})

test('a worker that ends while it is read counts once', async () => {
  let endIt = () => {}
  const totals = createWorkerTotals(async (_worker: string) => {
    endIt()
    return figures(7, 1)
  })
  totals.begin('a')
  await totals.read()
  endIt = () => totals.end('a')
  const merged = await totals.read()
  expect(merged.purser_decisions_total?.[0]?.value).toBe(7)
  expect(merged.purser_sse_clients).toBeUndefined()
})
