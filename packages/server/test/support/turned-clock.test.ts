import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from './builders.ts'
import { clockParameters, TURNED_CLOCK } from './turned-clock.ts'

/** Prints the time of a process with a turned clock in every possible way. */
const PROGRAM = `
  const began = performance.now()
  const date = new Date()
  console.log(JSON.stringify({
    now: Date.now(),
    made: +date,
    called: Date.parse(Date()),
    again: +new date.constructor(),
    given: new Date(0).toISOString(),
    parsed: Date.UTC(2026, 0, 1),
    isDate: date instanceof Date,
    elapsedMs: performance.now() - began,
  }))`

async function readClocks(turnedMs: number) {
  const env = { ...process.env, [TURNED_CLOCK]: String(turnedMs) }
  const parameters = [...clockParameters(env), '--eval', PROGRAM]
  const sentAt = Date.now()
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { env })
  return { sentAt, answeredAt: Date.now(), told: JSON.parse(stdout) }
}

describe('a process with a turned clock', () => {
  test.each([-HOUR_MS, HOUR_MS])('reads a time that is %i ms off', async (turnedMs) => {
    const { sentAt, answeredAt, told } = await readClocks(turnedMs)
    for (const instant of [told.now, told.made, told.again, told.called + 999]) {
      expect(instant).toBeGreaterThanOrEqual(sentAt + turnedMs)
    }
    for (const instant of [told.now, told.made, told.again, told.called]) {
      expect(instant).toBeLessThanOrEqual(answeredAt + turnedMs)
    }
  })

  test('reads a given instant as it is, and measures durations as they are', async () => {
    const { sentAt, answeredAt, told } = await readClocks(HOUR_MS)
    expect(told).toMatchObject({
      given: '1970-01-01T00:00:00.000Z',
      parsed: Date.UTC(2026, 0, 1),
      isDate: true,
    })
    expect(told.elapsedMs).toBeLessThanOrEqual(answeredAt - sentAt)
  })

  test('is only one whose environment asks for it', () => {
    expect(clockParameters({})).toEqual([])
  })
})
