import { expect, test } from 'vitest'
import { approvedAt } from '../../../src/core/counters/usage.ts'

const firstAt = Date.parse('2026-10-15T12:00Z')

test('the amount that a person approved at a vendor counts only until a spend is settled there', () => {
  expect(approvedAt({ firstAt, lastAmount: null, approvedAmount: 7n })).toBe(7n)
  expect(approvedAt({ firstAt, lastAmount: 5n, approvedAmount: 7n })).toBeNull()
})

test('an unknown vendor, and one that was approved without an amount, have no approved amount', () => {
  expect(approvedAt(undefined)).toBeNull()
  expect(approvedAt({ firstAt, lastAmount: null })).toBeNull()
})
