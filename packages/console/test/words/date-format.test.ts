import { describe, expect, it } from 'vitest'
import { writeDate } from '../../src/words/date-format.ts'

describe('a date in words', () => {
  const options = { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const
  const at = new Date('2026-11-17T23:40:22.118Z')

  it('reads as toLocaleString writes it, in each zone and each language', () => {
    for (const locale of ['en-GB', 'sv-SE', 'en-CA']) {
      for (const timeZone of ['UTC', 'Europe/Stockholm', 'America/New_York']) {
        const zoned = { ...options, timeZone }
        const expected = at.toLocaleString(locale, zoned)
        expect(writeDate(at, locale, zoned)).toBe(expected)
        // The second time, the formatter is known.
        expect(writeDate(at, locale, zoned)).toBe(expected)
      }
    }
  })

  it('of a date that is none says so', () => {
    expect(writeDate(new Date('soon'), 'en-GB', options)).toBe('Invalid Date')
  })
})
