import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutage } from '../../../src/storage/engine/outage.ts'
import { recordLog } from '../../support/recorded-log.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const gone = new Error('read ECONNRESET')

function watched(isTold = () => false) {
  const { log, lines } = recordLog('info')
  return { ...createOutage(log, isTold), told: () => lines.map(({ event }) => event), lines }
}

test('an answer is not told while nothing has failed', () => {
  const outage = watched()
  outage.noteAnswer()
  expect(outage.told()).toEqual([])
})

test('many failures are told once, and their end with their number and how long it took', () => {
  const outage = watched()
  for (let failure = 0; failure < 500; failure++) outage.noteFailure(gone)
  vi.advanceTimersByTime(7_000)
  outage.noteAnswer()
  outage.noteAnswer()
  expect(outage.told()).toEqual(['storage.connection_failed', 'storage.recovered'])
  expect(outage.lines[1]).toMatchObject({ failures: 500, seconds: 7 })
})

test('it is not over while some are answered and others fail', () => {
  const outage = watched()
  for (let round = 0; round < 20; round++) {
    outage.noteFailure(gone)
    vi.advanceTimersByTime(1_000)
    outage.noteAnswer()
  }
  expect(outage.told()).toHaveLength(1)
})

test('a long one is told again every minute', () => {
  const outage = watched()
  for (let second = 0; second <= 180; second++) {
    outage.noteFailure(gone)
    vi.advanceTimersByTime(1_000)
  }
  const [, ...reminders] = outage.told()
  expect(reminders).toEqual(Array(3).fill('storage.outage_continues'))
})

test('nothing is told of a database whose end was told by another', () => {
  const outage = watched(() => true)
  outage.noteFailure(gone)
  outage.noteAnswer()
  expect(outage.told()).toEqual([])
})
