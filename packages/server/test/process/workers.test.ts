import { describe, expect, test } from 'vitest'
import { runGateway } from '../../src/process/run.ts'
import { createPauses } from '../../src/process/workers/live-workers.ts'
import { readArguments, readWorkerCount } from '../../src/process/workers/worker-count.ts'

describe('--workers', () => {
  test('is refused with the embedded database, which says why', async () => {
    const run = runGateway({ PURSER_DATA_DIR: '/nowhere' }, { workers: 2 })
    await expect(run).rejects.toThrow(/need PostgreSQL: the embedded database runs inside one/)
  })

  test('is a number from 1 to 64', () => {
    expect(readWorkerCount('2')).toBe(2)
    for (const text of ['0', '65', '-1', '1.5', 'two', '']) {
      expect(() => readWorkerCount(text)).toThrow('--workers must be a number from 1 to 64.')
    }
  })

  test('is the only argument of the program', () => {
    expect(readArguments([])).toEqual({})
    expect(readArguments(['--workers', '2'])).toEqual({ workers: 2 })
    expect(readArguments(['--workers=3'])).toEqual({ workers: 3 })
    for (const args of [['--worker', '2'], ['--workers'], ['--workers', '2', 'x'], ['x']]) {
      expect(() => readArguments(args)).toThrow(/Unknown arguments/)
    }
  })
})

test('the pause before a new worker doubles up to a minute, and begins again after a steady one', () => {
  const pauses = createPauses()
  const soon = Array.from({ length: 8 }, () => pauses.next(10))
  expect(soon).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  expect(pauses.next(60_000)).toBe(1_000)
  expect(pauses.next(10)).toBe(2_000)
})
