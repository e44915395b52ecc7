import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { createOpeningHours, type OpeningWindow } from '../../../src/core/time/opening-hours.ts'
import { minuteOfWeek, WEEKDAYS } from '../../../src/core/time/wall-clock.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'

const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
)
const instants = fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2032-01-01') })
const times = fc
  .integer({ min: 0, max: 1_439 })
  .map((minute) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`)
const days = fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 })
const windows = fc
  .record({ days, from: times, to: times }, { requiredKeys: ['from', 'to'] })
  .filter(({ from, to }) => from !== to)

const utc = zoneOf('UTC')
/** Thursday, 2026-10-15. */
const at = (time: string) => Date.parse(`2026-10-15T${time}Z`)
const opens = (list: readonly OpeningWindow[], time: string) =>
  createOpeningHours(list).nextOpen(utc, at(time))

describe('the opening hours', () => {
  test('always name the first open minute, and none before it is open', () => {
    const someWindows = fc.array(windows, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(zones, instants, someWindows, (timezone, from, list) => {
        const zone = zoneOf(timezone)
        const hours = createOpeningHours(list)
        const isOpen = (instant: number) => hours.isOpen(minuteOfWeek(zone, instant))
        const next = hours.nextOpen(zone, from) ?? Number.NaN
        expect(isOpen(next)).toBe(true)
        expect(next).toBeGreaterThanOrEqual(from)
        for (let before = from; before < next; before += 60_000) expect(isOpen(before)).toBe(false)
      }),
      { numRuns: 100 },
    )
  })

  test('open with the earliest of their windows, in whichever order these are written', () => {
    const [noon, morning] = [
      { from: '12:00', to: '13:00' },
      { from: '08:00', to: '09:00' },
    ] as const
    for (const list of [
      [noon, morning],
      [morning, noon],
    ]) {
      expect(opens(list, '07:00')).toBe(at('08:00'))
      expect(opens(list, '10:00')).toBe(at('12:00'))
    }
  })

  test('stay open where windows overlap, contain or follow each other', () => {
    const day = { from: '08:00', to: '18:00' }
    const lunch = { from: '12:00', to: '13:00' }
    const evening = { from: '17:00', to: '20:00' }
    const night = { from: '20:00', to: '21:00' }
    const hours = createOpeningHours([night, evening, lunch, day])
    const open = (time: string) => hours.isOpen(minuteOfWeek(utc, at(time)))
    const times = ['07:59', '08:00', '13:30', '17:59', '18:00', '20:00', '20:59', '21:00']
    expect(times.map(open)).toEqual([false, true, true, true, true, true, true, false])
  })

  test('begin and end with the minutes of their windows', () => {
    const hours = createOpeningHours([{ from: '07:20', to: '08:40' }])
    const open = (time: string) => hours.isOpen(minuteOfWeek(utc, at(time)))
    expect(['07:19', '07:20', '08:39', '08:40'].map(open)).toEqual([false, true, true, false])
  })

  test('open in a week again, if they end with the week', () => {
    const hours = createOpeningHours([{ days: ['sun'], from: '22:00', to: '24:00' }])
    const monday = Date.parse('2026-10-19T00:00Z')
    expect(hours.nextOpen(utc, monday)).toBe(Date.parse('2026-10-25T22:00Z'))
  })

  test('follow the clocks when these are changed, and skip an hour that does not come', () => {
    const berlin = zoneOf('Europe/Berlin')
    const opensAt = (from: string, to: string, time: string) =>
      createOpeningHours([{ from, to }]).nextOpen(berlin, Date.parse(time))
    expect(opensAt('07:00', '08:00', '2026-10-24T12:00Z')).toBe(Date.parse('2026-10-25T06:00Z'))
    expect(opensAt('02:00', '03:00', '2026-03-28T12:00Z')).toBe(Date.parse('2026-03-30T00:00Z'))
  })

  test('run over the end of the week, until the minute before they close', () => {
    const hours = createOpeningHours([{ days: ['sun'], from: '22:00', to: '06:00' }])
    const open = (time: string) => hours.isOpen(minuteOfWeek(utc, Date.parse(time)))
    expect(open('2026-10-18T21:59Z')).toBe(false)
    expect(open('2026-10-18T23:59Z')).toBe(true)
    expect(open('2026-10-19T05:59Z')).toBe(true)
    expect(open('2026-10-19T06:00Z')).toBe(false)
  })

  test('read the same minute from the wall as Temporal does', () => {
    fc.assert(
      fc.property(zones, instants, (timezone, instant) => {
        const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone)
        const expected = (local.dayOfWeek - 1) * 1_440 + local.hour * 60 + local.minute
        expect(minuteOfWeek(zoneOf(timezone), instant)).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })
})

function pad(value: number): string {
  return `${value}`.padStart(2, '0')
}
