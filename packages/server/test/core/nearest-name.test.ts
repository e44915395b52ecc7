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

  describe('that shares words with a known one', () => {
    const MANDATE = ['agentId', 'budgetTotal', 'budgetPeriod', 'parentMandateId', 'rules', 'name']
    test.each([
      ['agent', FIELDS, 'agentId'],
      ['agents', FIELDS, 'agentId'],
      ['agentName', FIELDS, 'agentId'],
      ['vendorName', FIELDS, 'vendor'],
      ['amountUsd', FIELDS, 'amount'],
      ['ref', FIELDS, 'reference'],
      ['agent', MANDATE, 'agentId'],
      ['budget', MANDATE, 'budgetTotal'],
      ['total_budget', MANDATE, 'budgetTotal'],
      ['period', MANDATE, 'budgetPeriod'],
      ['parent', MANDATE, 'parentMandateId'],
      ['parentId', MANDATE, 'parentMandateId'],
      ['mandateRules', MANDATE, 'rules'],
      ['mandate', ['status', 'mandateId'], 'mandateId'],
      ['maximum', ['min', 'max'], 'max'],
      ['maxAmount', ['min', 'max'], 'max'],
      ['url', ['name', 'webhookUrl'], 'webhookUrl'],
    ])('%s among %j means %s', (unknown, known, meant) => {
      expect(nearestName(unknown, known)).toBe(meant)
    })

    test.each([
      ['id', FIELDS],
      ['vendorId', ['agentId', 'amount']],
      ['budgetOwner', ['budgetTotal', 'amount']],
      ['in', ['includes', 'vendor']],
    ])('%s among %j means none, because what it shares says too little', (unknown, known) => {
      expect(nearestName(unknown, known)).toBeUndefined()
    })
  })

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
