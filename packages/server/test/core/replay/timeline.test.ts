import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTimeline } from '../../../src/core/replay/timeline.ts'

const instants = fc.array(fc.nat(30), { maxLength: 40 })

test('a timeline runs what is due, in the order of time, and keeps the rest', () => {
  fc.assert(
    fc.property(instants, instants, fc.nat(30), (first, later, to) => {
      const timeline = createTimeline()
      const ran: number[] = []
      const addAll = (all: readonly number[]) => {
        for (const at of all) timeline.add({ at, run: () => ran.push(at) })
      }
      const inOrder = (all: readonly number[]) => [...all].sort((a, b) => a - b)
      addAll(first)
      timeline.advance(to)
      const due = first.filter((at) => at <= to)
      expect(ran).toEqual(inOrder(due))
      expect(timeline.size).toBe(first.length - due.length)
      ran.length = 0
      addAll(later)
      timeline.advance(30)
      expect(ran).toEqual(inOrder([...first.filter((at) => at > to), ...later]))
      expect(timeline.size).toBe(0)
    }),
  )
})
