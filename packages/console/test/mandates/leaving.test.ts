import { expect, test } from 'vitest'
import { hideMandate, leavingIds, showMandate } from '../../src/screens/mandates/leaving.ts'

test('hides a mandate at once, and shows it again when the deletion is taken back', () => {
  hideMandate('mnd_1')
  hideMandate('mnd_2')
  expect([...leavingIds()]).toEqual(['mnd_1', 'mnd_2'])
  showMandate('mnd_1')
  expect([...leavingIds()]).toEqual(['mnd_2'])
  showMandate('mnd_2')
  expect(leavingIds().size).toBe(0)
})
