import type { Approval } from '@purser/sdk'
import { describe, expect, it } from 'vitest'
import {
  mergeInbox,
  neighbour,
  nextWaiting,
  TOGETHER_MAX,
  whyNotSelect,
} from '../../src/screens/approvals/inbox.ts'

const request = (id: string, minute: number, rest: Partial<Approval> = {}): Approval =>
  ({
    ...{ id, status: 'pending', mayDecide: true, mandateId: 'mnd_1' },
    expiresAt: new Date(Date.UTC(2026, 10, 17, 10, minute)).toISOString(),
    ...rest,
  }) as Approval

const ids = (rows: ReturnType<typeof mergeInbox>) =>
  rows.map(({ approval, isWaiting }) => `${approval.id}${isWaiting ? '' : ' answered'}`)

describe('the inbox', () => {
  const [a, b, c] = [request('a', 1), request('b', 2), request('c', 3)]

  it('puts the next request to expire first', () => {
    expect(ids(mergeInbox([], [c, a, b]))).toEqual(['a', 'b', 'c'])
  })
  it('keeps an answered request in its place', () => {
    const rows = mergeInbox([], [a, b, c])
    expect(ids(mergeInbox(rows, [a, c]))).toEqual(['a', 'b answered', 'c'])
  })
  it('adds a new request without moving the others', () => {
    const rows = mergeInbox(mergeInbox([], [a, b]), [b])
    expect(ids(mergeInbox(rows, [b, c]))).toEqual(['a answered', 'b', 'c'])
  })
  it('keeps at most twenty answered requests', () => {
    const many = Array.from({ length: 40 }, (_, index) => request(`r${index}`, index))
    expect(mergeInbox(mergeInbox([], many), [])).toHaveLength(20)
  })
  it('moves to the neighbours and stops at the ends', () => {
    expect(neighbour([a, b, c], 'b', 1)).toBe('c')
    expect(neighbour([a, b, c], 'b', -1)).toBe('a')
    expect(neighbour([a, b, c], 'c', 1)).toBeUndefined()
    expect(neighbour([a, b, c], undefined, 1)).toBe('a')
  })
  it('offers the next waiting request, from the top after the last', () => {
    const rows = mergeInbox(mergeInbox([], [a, b, c]), [a, c])
    expect(nextWaiting(rows, 'b')?.id).toBe('c')
    expect(nextWaiting(rows, 'c')?.id).toBe('a')
    expect(nextWaiting(mergeInbox([], [a]), 'a')).toBeUndefined()
  })
})

describe('a selection', () => {
  const one = request('a', 1)

  it('takes requests under one mandate', () => {
    expect(whyNotSelect(request('b', 2), [one])).toBeUndefined()
    expect(whyNotSelect(request('b', 2, { mandateId: 'mnd_2' }), [one])).toMatch(/same mandate/)
  })
  it('takes no answered request and none that the person may not decide', () => {
    expect(whyNotSelect(request('b', 2, { status: 'expired' }), [])).toMatch(/answered/)
    expect(whyNotSelect(request('b', 2, { mayDecide: false }), [])).toMatch(/may not/)
  })
  it('is bounded by what one call can answer', () => {
    const full = Array.from({ length: TOGETHER_MAX }, (_, index) => request(`r${index}`, 1))
    expect(whyNotSelect(request('b', 2), full)).toMatch(/At most 51/)
  })
})
