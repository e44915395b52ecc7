import { expect, test } from 'vitest'
import { gapSentence, startSentence } from '../../src/screens/mandates/sentences.ts'

const NOW = Date.parse('2026-11-18T09:00:00Z')
const LATER = { validFrom: '2026-12-01T08:00:00Z', timezone: 'UTC' }
const NOT_LATER = { validFrom: '2026-11-01T08:00:00Z', timezone: 'UTC' }

test('warns that an agent has no mandate until a replacement starts', () => {
  expect(gapSentence('Travel booker', LATER, NOW)).toBe(
    'Travel booker has no mandate until 1 December 2026, 08:00, and all its spends are rejected until then.',
  )
  expect(gapSentence('Travel booker', NOT_LATER, NOW)).toBeUndefined()
  expect(gapSentence('Travel booker', { ...LATER, validFrom: null }, NOW)).toBeUndefined()
})

test('says from when a mandate applies', () => {
  expect(startSentence('Travel booker', LATER, NOW)).toBe(
    'It applies to Travel booker from 1 December 2026, 08:00 on.',
  )
  expect(startSentence('Travel booker', NOT_LATER, NOW)).toMatch(/from the next spend on/)
})
