import { describe, expect, test } from 'vitest'
import { createDesk } from '../../desk.ts'

const OFFICE = [{ days: ['mon', 'fri'], from: '07:00', to: '19:00' }] as const
const NIGHT = [{ days: ['sat'], from: '22:00', to: '06:00' }] as const
const EARLY = [{ from: '02:00', to: '03:00' }] as const
const BERLIN = 'Europe/Berlin'

describe('a schedule', () => {
  test.each([
    ['opens with the first minute', OFFICE, 'UTC', '2026-10-16T07:00Z', true],
    ['is closed the moment before', OFFICE, 'UTC', '2026-10-16T06:59:59.999Z', false],
    ['is open in the last moment', OFFICE, 'UTC', '2026-10-16T18:59:59.999Z', true],
    ['closes with the minute it names', OFFICE, 'UTC', '2026-10-16T19:00Z', false],
    ['is closed on other days', OFFICE, 'UTC', '2026-10-15T12:00Z', false],
    ['follows the zone', OFFICE, BERLIN, '2026-10-16T05:00Z', true],
    ['runs over midnight into a day it does not name', NIGHT, 'UTC', '2026-10-18T05:59Z', true],
    ['does not start on that day', NIGHT, 'UTC', '2026-10-18T22:00Z', false],
    ['does not end on the day it names', NIGHT, 'UTC', '2026-10-17T05:59Z', false],
    ['is open in the repeated hour the first time', EARLY, BERLIN, '2026-10-25T00:30Z', true],
    ['is open in the repeated hour the second time', EARLY, BERLIN, '2026-10-25T01:30Z', true],
    ['is closed after it', EARLY, BERLIN, '2026-10-25T02:00Z', false],
    ['does not open where its hour is skipped', EARLY, BERLIN, '2026-03-29T01:00Z', false],
    ['nor just before', EARLY, BERLIN, '2026-03-29T00:59Z', false],
    ['may be the whole day', [{ from: '00:00', to: '24:00' }], 'UTC', '2026-10-16T23:59Z', true],
  ] as const)('%s', (_, windows, timezone, at, open) => {
    const rules = [{ type: 'schedule', windows: structuredClone([...windows]), timezone }] as const
    const { code } = createDesk({ rules }).ask({}, Date.parse(at))
    expect(code).toBe(open ? 'approved' : 'outside_schedule')
  })

  test('uses the zone of the mandate unless it has its own', () => {
    const rules = [{ type: 'schedule', windows: structuredClone([...OFFICE]) }] as const
    const desk = createDesk({ rules, timezone: BERLIN })
    expect(desk.ask({}, Date.parse('2026-10-16T05:00Z')).code).toBe('approved')
  })

  test.each([
    ['on the same day', OFFICE, 'UTC', '2026-10-16T05:12:34.567Z', '2026-10-16T07:00:00.000Z'],
    ['in the next week', OFFICE, 'UTC', '2026-10-16T20:00Z', '2026-10-19T07:00:00.000Z'],
    [
      'after a change of the clocks',
      OFFICE,
      BERLIN,
      '2026-10-24T12:00Z',
      '2026-10-26T06:00:00.000Z',
    ],
    [
      'past the hour that is skipped',
      EARLY,
      BERLIN,
      '2026-03-28T12:00Z',
      '2026-03-30T00:00:00.000Z',
    ],
  ] as const)('says when it opens next: %s', (_, windows, timezone, at, opens) => {
    const rules = [{ type: 'schedule', windows: structuredClone([...windows]), timezone }] as const
    const { details } = createDesk({ rules }).ask({}, Date.parse(at))
    expect(details.next.retryAfter).toBe(opens)
  })
})
