import { expect, test } from 'vitest'
import { createCallSlots } from '../../src/paths/call-slots.ts'

/** Slots whose calls last until the test ends them. */
function createSlots(total: number) {
  const slots = createCallSlots(total)
  const ends = new Map<string, (() => void)[]>()

  /** Whether one more call may begin. */
  function begins(organizationId: string, agentId = 'agent'): boolean {
    let hasBegun = false
    const call = slots.take({ organizationId, agentId }, () => {
      hasBegun = true
      return new Promise<void>((resolve) => {
        ends.set(agentId, [...(ends.get(agentId) ?? []), resolve])
      })
    })
    call.catch(() => {})
    return hasBegun
  }

  /** How many calls may begin until one is refused. */
  function fill(organizationId: string, agentId?: string): number {
    let count = 0
    while (begins(organizationId, agentId)) count += 1
    return count
  }

  async function endAll(agentId = 'agent'): Promise<void> {
    for (const end of ends.get(agentId) ?? []) end()
    await new Promise((resolve) => setImmediate(resolve))
  }

  return { slots, begins, fill, endAll }
}

test('one agent with slow vendors leaves slots to the others of its organization', () => {
  const { fill } = createSlots(64)
  expect(fill('acme', 'slow')).toBe(16)
  expect(fill('acme', 'second')).toBe(8)
  expect(fill('acme', 'third')).toBe(4)
})

test('one organization with slow vendors leaves slots to the others', () => {
  const { fill } = createSlots(64)
  const taken = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((agent) => fill('acme', agent))
  expect(taken.reduce((sum, count) => sum + count, 0)).toBe(32)
  expect(fill('other')).toBe(16)
  expect(fill('third')).toBe(8)
})

test('never runs more than there are slots', () => {
  const { begins } = createSlots(8)
  let count = 0
  for (let turn = 0; turn < 40; turn += 1) if (begins(`org-${turn}`, 'a')) count += 1
  expect(count).toBe(8)
})

test('an agent has its slots again when its calls have ended, also when they fail', async () => {
  const { slots, fill, endAll } = createSlots(64)
  const before = fill('acme')
  await endAll()
  await expect(
    slots.take({ organizationId: 'acme', agentId: 'agent' }, () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no')
  expect(fill('acme')).toBe(before)
})

test('agents of two organizations with the same id do not share', () => {
  const { fill } = createSlots(64)
  expect(fill('acme', 'same')).toBe(16)
  expect(fill('other', 'same')).toBe(16)
})

test('one too many is told to come back', async () => {
  const { slots, fill } = createSlots(4)
  fill('acme')
  await expect(
    slots.take({ organizationId: 'acme', agentId: 'agent' }, async () => {}),
  ).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 })
})
