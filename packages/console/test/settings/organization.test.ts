import { describe, expect, it } from 'vitest'
import {
  changedFields,
  isShorter,
  toDays,
} from '../../src/screens/settings/organization/changed-fields.ts'

describe('a form of settings', () => {
  it('sends the fields that differ', () => {
    const saved = { name: 'Meridian Labs', timezone: 'UTC', currency: 'USD' }
    expect(changedFields(saved, { name: 'Meridian Labs', timezone: 'Europe/Oslo' })).toEqual({
      timezone: 'Europe/Oslo',
    })
    expect(changedFields(saved, { name: '' })).toEqual({})
  })

  it('reads days, where empty means forever', () => {
    expect(toDays(' ')).toBeNull()
    expect(toDays('90')).toBe(90)
    expect(toDays('many')).toBeUndefined()
  })

  it('knows which limit removes data', () => {
    expect(isShorter(null, 90)).toBe(true)
    expect(isShorter(400, 90)).toBe(true)
    expect(isShorter(90, 400)).toBe(false)
    expect(isShorter(90, null)).toBe(false)
  })
})
