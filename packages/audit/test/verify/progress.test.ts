import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgress } from '../../src/node/progress.ts'

// Only what a second is, is not waited for.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const after = (leaves: number) => ({ leaves: () => leaves })

test('of a file is told once a second, with the share that is done', () => {
  const told: string[] = []
  const progress = createProgress(1_000, (text) => told.push(text))
  progress.tell(100, after(500))
  expect(told).toEqual([])
  vi.advanceTimersByTime(1_000)
  progress.tell(150, after(1_234))
  progress.tell(50, after(1_500))
  expect(told).toEqual(['1,234 leaves verified, 25 %\n'])
  vi.advanceTimersByTime(1_000)
  progress.tell(700, after(4_000))
  expect(told.at(-1)).toBe('4,000 leaves verified, 100 %\n')
})

test('of standard input has no share, because nobody knows how long it is', () => {
  const told: string[] = []
  const progress = createProgress(undefined, (text) => told.push(text))
  vi.advanceTimersByTime(1_000)
  progress.tell(150, after(7))
  expect(told).toEqual(['7 leaves verified\n'])
})
