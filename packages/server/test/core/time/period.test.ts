import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calendarWindowAt, type Period, periodAt } from '../../../src/core/time/period.ts'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Apia',
  'America/St_Johns',
]
const HOUR = 3_600_000

/** Moments around which calendars do something unusual, and a range that holds many more. */
const TURNING_POINTS = [
  '2026-03-29T01:00Z', // Berlin, forward
  '2026-10-25T01:00Z', // Berlin, back
  '2026-03-08T07:00Z', // New York, forward
  '2026-11-01T06:00Z', // New York, back
  '2026-04-04T15:00Z', // Lord Howe, back by half an hour
  '2026-10-03T15:30Z', // Lord Howe, forward by half an hour
  '2011-12-30T10:00Z', // Apia, a date is left out
  '2006-04-02T03:31Z', // St. John's, forward, a minute after the full hour
  '2006-10-29T02:31Z', // St. John's, back, a minute after the full hour
  '2027-01-01T00:00Z',
].map((text) => Date.parse(text))

const instants = fc.oneof(
  fc
    .tuple(fc.constantFrom(...TURNING_POINTS), fc.integer({ min: -30 * HOUR, max: 30 * HOUR }))
    .map(([turn, offset]) => turn + offset),
  fc.constantFrom(...TURNING_POINTS),
  fc.integer({ min: Date.parse('2005-01-01'), max: Date.parse('2035-01-01') }),
)
const zones = fc.constantFrom(...ZONES)

describe('every period', () => {
  const finders = fc.constantFrom<(zone: string, at: number) => Period | undefined>(
    (zone, at) => periodAt('daily', zone, at),
    (zone, at) => periodAt('weekly', zone, at),
    (zone, at) => periodAt('monthly', zone, at),
    (zone, at) => periodAt('yearly', zone, at),
    (zone, at) => calendarWindowAt('hour', zone, at),
    (zone, at) => calendarWindowAt('day', zone, at),
    (zone, at) => calendarWindowAt('week', zone, at),
    (zone, at) => calendarWindowAt('month', zone, at),
  )

  test('always holds its instant, and always meets the next without gap or overlap', () => {
    fc.assert(
      fc.property(finders, zones, instants, (find, zone, at) => {
        const period = find(zone, at)
        const { start = Number.NaN, end = Number.NaN } = period ?? {}
        expect(start <= at && at < end).toBe(true)
        expect(find(zone, start)).toEqual(period)
        expect(find(zone, end - 1)).toEqual(period)
        expect(find(zone, end)?.start).toBe(end)
        expect(find(zone, start - 1)?.end).toBe(start)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a budget period', () => {
  test('goes on when the clocks go back over midnight, as in St. John’s until 2011', () => {
    const day = { start: Date.parse('2006-10-29T02:30Z'), end: Date.parse('2006-10-30T03:30Z') }
    const times = ['02:30', '02:31', '03:29', '03:30']
    const found = times.map((time) =>
      periodAt('daily', 'America/St_Johns', Date.parse(`2006-10-29T${time}Z`)),
    )
    expect(found).toEqual([day, day, day, day])
  })

  test('does not exist for a budget that never resets', () => {
    expect(periodAt('none', 'UTC', 0)).toBeUndefined()
  })

  test.each([
    ['daily', '2026-10-14T22:00Z', '2026-10-15T22:00Z'],
    ['weekly', '2026-10-11T22:00Z', '2026-10-18T22:00Z'],
    ['monthly', '2026-09-30T22:00Z', '2026-10-31T23:00Z'],
    ['yearly', '2025-12-31T23:00Z', '2026-12-31T23:00Z'],
  ] as const)('%s follows the calendar of Berlin', (period, start, end) => {
    const thursday = Date.parse('2026-10-15T12:00Z')
    expect(periodAt(period, 'Europe/Berlin', thursday)).toEqual(between(start, end))
  })

  test('of a week starts on Monday, also when the day is a Sunday', () => {
    const sunday = Date.parse('2026-10-18T23:59Z')
    expect(periodAt('weekly', 'UTC', sunday)).toEqual(
      between('2026-10-12T00:00Z', '2026-10-19T00:00Z'),
    )
  })
})

describe('a calendar window', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29T12:00Z', 23],
    ['Europe/Berlin', '2026-10-25T12:00Z', 25],
    ['America/New_York', '2026-03-08T12:00Z', 23],
    ['America/New_York', '2026-11-01T12:00Z', 25],
    ['Australia/Lord_Howe', '2026-04-05T00:00Z', 24.5],
    ['Asia/Kolkata', '2026-03-29T12:00Z', 24],
  ])('of a day in %s around %s has %d hours', (zone, at, hours) => {
    const { start, end } = calendarWindowAt('day', zone, Date.parse(at))
    expect((end - start) / HOUR).toBe(hours)
  })

  test('of an hour follows the wall clock where zones are half an hour apart', () => {
    expect(calendarWindowAt('hour', 'Asia/Kolkata', Date.parse('2026-10-15T12:10Z'))).toEqual(
      between('2026-10-15T11:30Z', '2026-10-15T12:30Z'),
    )
  })

  test('of an hour that is repeated in autumn is another one each time', () => {
    const [first, second] = ['2026-10-25T00:30Z', '2026-10-25T01:30Z'].map((at) =>
      calendarWindowAt('hour', 'Europe/Berlin', Date.parse(at)),
    )
    expect(first).toEqual(between('2026-10-25T00:00Z', '2026-10-25T01:00Z'))
    expect(second).toEqual(between('2026-10-25T01:00Z', '2026-10-25T02:00Z'))
  })

  test.each([
    ['the instant of the change', '2026-04-04T15:00Z'],
    ['a moment after it', '2026-04-04T15:10Z'],
  ])('of an hour starts anew where clocks move by half of one, asked for %s', (_, at) => {
    expect(calendarWindowAt('hour', 'Australia/Lord_Howe', Date.parse(at))).toEqual(
      between('2026-04-04T15:00Z', '2026-04-04T15:30Z'),
    )
  })

  test.each([
    ['2006-04-02T03:30Z', '2006-04-02T03:30Z', '2006-04-02T03:31Z'],
    ['2006-04-02T03:31Z', '2006-04-02T03:31Z', '2006-04-02T04:30Z'],
  ])('of an hour ends where clocks change within it, asked for %s', (at, start, end) => {
    expect(calendarWindowAt('hour', 'America/St_Johns', Date.parse(at))).toEqual(
      between(start, end),
    )
  })

  test('of an hour ends where clocks skip into the next one', () => {
    expect(calendarWindowAt('hour', 'Europe/Berlin', Date.parse('2026-03-29T00:59Z'))).toEqual(
      between('2026-03-29T00:00Z', '2026-03-29T01:00Z'),
    )
  })
})

function between(start: string, end: string): Period {
  return { start: Date.parse(start), end: Date.parse(end) }
}
