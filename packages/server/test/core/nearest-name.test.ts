import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearestName } from '../../src/core/nearest-name.ts'

const FIELDS = [
  'agentId',
  'amount',
  'vendor',
  'category',
  'currency',
  'reference',
  'reason',
  'hold',
]

describe('an unknown name', () => {
  test.each([
    ['agent_id', 'agentId'],
    ['AgentID', 'agentId'],
    ['agent-id', 'agentId'],
    ['agentid', 'agentId'],
    ['amont', 'amount'],
    ['amuont', 'amount'],
    ['vendro', 'vendor'],
    ['categories', 'category'],
    ['resaon', 'reason'],
    ['holds', 'hold'],
  ])('%s means %s', (unknown, known) => {
    expect(nearestName(unknown, FIELDS)).toBe(known)
  })

  test.each(['', 'x', 'price', 'description', 'metadata', '__proto__', 'a'.repeat(10_000)])(
    '%s means none that is known',
    (unknown) => {
      expect(nearestName(unknown, FIELDS)).toBeUndefined()
    },
  )

  test('is always the known one where only one letter is missing', () => {
    const long = FIELDS.filter((name) => name.length > 4)
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.nat(), (name, at) => {
        const place = at % name.length
        expect(nearestName(name.slice(0, place) + name.slice(place + 1), FIELDS)).toBe(name)
      }),
    )
  })
})
