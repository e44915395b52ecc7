import { expect, test } from 'vitest'
import { roomFor } from '../../../src/paths/acp/reconciler.ts'

/** Each takes all the room that it has, one after the other. */
function fill(organizations: number): readonly string[] {
  const underWay: string[] = []
  for (let index = 0; index < organizations; index += 1) {
    const name = `org-${index}`
    underWay.push(...Array.from({ length: roomFor(name, underWay) }, () => name))
  }
  return underWay
}

test('an organization that is alone has a bounded part of all places', () => {
  expect(roomFor('org', [])).toBe(16)
  expect(roomFor('org', fill(1))).toBe(16)
  expect(roomFor('org-0', fill(1))).toBe(0)
})

test.each([1, 2, 3, 4, 5])('beside %i that are slow there is room for another one', (slow) => {
  expect(roomFor('another', fill(slow))).toBeGreaterThan(0)
})

test('there is never more under way than there are places', () => {
  expect(fill(100)).toHaveLength(48)
  expect(roomFor('another', fill(100))).toBe(0)
  expect(roomFor('org-0', fill(100))).toBe(0)
})
