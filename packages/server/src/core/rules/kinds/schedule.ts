import { Type } from 'typebox'
import type { FieldError } from '../../../base/errors.ts'
import { isTimeZone } from '../../time/instant.ts'
import { createOpeningHours, type OpeningWindow } from '../../time/opening-hours.ts'
import { minuteOfWeek, showMinute, WEEKDAYS } from '../../time/wall-clock.ts'
import { zoneOf } from '../../time/zone.ts'
import { defineCodes } from '../codes.ts'
import { defineRule } from '../define-rule.ts'
import { summaryOf } from '../narrowing.ts'
import { fail, pass } from '../verdict.ts'

const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'

const ScheduleWindow = Type.Object(
  {
    days: Type.Optional(
      Type.Array(Type.Enum([...WEEKDAYS], { type: 'string' }), {
        minItems: 1,
        maxItems: WEEKDAYS.length,
        uniqueItems: true,
        description: 'The days on which the window opens. Without it, every day.',
        examples: [['mon', 'fri']],
      }),
    ),
    from: Type.String({
      pattern: `^${TIME}$`,
      description: 'When the window opens.',
      examples: ['07:00'],
    }),
    to: Type.String({
      pattern: `^(?:${TIME}|24:00)$`,
      description:
        'When the window closes; this minute is outside. If earlier than `from`, on the next day.',
      examples: ['19:00'],
    }),
  },
  { additionalProperties: false },
)

const codes = defineCodes({
  outside_schedule: {
    meaning: 'The mandate allows no spends at this time.',
    action: 'Wait until `next.retryAfter`.',
    repeat: 'later',
  },
})

/**
 * Restricts the times of spends. A spend passes inside any of the windows.
 *
 * Two schedules are not compared when a mandate is narrowed, because they may be in different time
 * zones. The parent's schedule is judged on every spend of the child as well, so nothing is lost.
 */
export const schedule = defineRule({
  type: 'schedule',
  title: 'ScheduleRule',
  summary: 'Restricts spends to time windows of the week.',
  effects: ['reject', 'require_approval', 'flag'],

  settings: {
    windows: Type.Array(ScheduleWindow, {
      minItems: 1,
      maxItems: 50,
      description: 'The windows in which a spend passes.',
    }),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'IANA time zone of the windows. Default: the time zone of the mandate.',
        examples: ['Europe/Berlin'],
      }),
    ),
  },

  codes,
  examples: [
    {
      says: 'Working days from 07:00 to 19:00 in Berlin, and Saturdays from 22:00 to 02:00 on Sunday.',
      rule: {
        windows: [
          { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '07:00', to: '19:00' },
          { days: ['sat'], from: '22:00', to: '02:00' },
        ],
        timezone: 'Europe/Berlin',
      },
    },
  ],

  inspect({ windows, timezone }) {
    return [...windows.flatMap(inspectWindow), ...inspectTimeZone(timezone)]
  },

  judge({ windows, timezone }, mandate) {
    const zone = timezone === undefined ? mandate.zone : zoneOf(timezone)
    const hours = createOpeningHours(windows)
    const limit = summaryOf(windows.map(showWindow))
    return {
      check({ now }) {
        const minute = minuteOfWeek(zone, now)
        const observed = showMinute(minute)
        if (hours.isOpen(minute)) return pass(observed, limit, 'The time is inside the schedule.')
        const message = `The local time is ${observed}, outside the schedule (${limit}).`
        return fail(codes.outside_schedule, observed, limit, message)
      },
      passesAt: ({ now }) => hours.nextOpen(zone, now),
    }
  },
})

function showWindow({ days, from, to }: OpeningWindow): string {
  return `${days ? `${days.join(' ')} ` : ''}${from}-${to}`
}

// Such a window could mean nothing at all or the whole day, which are opposites.
function inspectWindow(
  window: { readonly from: string; readonly to: string },
  index: number,
): FieldError[] {
  if (window.from !== window.to) return []
  const message = 'must differ from `from`; the whole day is 00:00 to 24:00'
  return [{ path: `/windows/${index}/to`, code: 'empty_window', message }]
}

function inspectTimeZone(timezone: string | undefined): FieldError[] {
  if (timezone === undefined || isTimeZone(timezone)) return []
  const message = 'must be the name of an IANA time zone, such as Europe/Berlin or UTC'
  return [{ path: '/timezone', code: 'unknown_time_zone', message }]
}
