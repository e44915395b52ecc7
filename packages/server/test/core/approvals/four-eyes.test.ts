import { describe, expect, test } from 'vitest'
import {
  askingHandsOf,
  handsOf,
  type LinkBehind,
  needsPassword,
  TAKEN_OVER_MS,
} from '../../../src/core/approvals/four-eyes.ts'
import { NOON } from '../desk.ts'

function link(memberId: string, madeBy: string, change: Partial<LinkBehind> = {}): LinkBehind {
  return { memberId, madeBy, madeAt: NOON, isReset: true, ...change }
}

describe('the members who may act as a member', () => {
  test('are the member, and all who made a link on the way to the member', () => {
    const links = [link('cleo', 'dan'), link('ann', 'bob'), link('bob', 'cleo'), link('eve', 'fay')]
    expect([...handsOf('ann', links, NOON)].sort()).toEqual(['ann', 'bob', 'cleo', 'dan'])
    expect([...handsOf('gus', links, NOON)]).toEqual(['gus'])
  })

  test('can have made links for each other', () => {
    const links = [link('ann', 'bob'), link('bob', 'ann')]
    expect([...handsOf('ann', links, NOON)].sort()).toEqual(['ann', 'bob'])
  })

  test('include the creator of a link of that instant, and of no earlier one', () => {
    const links = [link('ann', 'bob'), link('ann', 'cleo', { madeAt: NOON - 1 })]
    expect([...handsOf('ann', links, NOON)]).toEqual(['ann', 'bob'])
  })
})

test('a request may come from the creator of a reset link of the last seven days, not of an invitation', () => {
  const links = [
    link('ann', 'bob', { madeAt: NOON - TAKEN_OVER_MS }),
    link('ann', 'cleo', { madeAt: NOON - TAKEN_OVER_MS - 1 }),
    link('ann', 'dan', { isReset: false }),
  ]
  expect([...askingHandsOf('ann', links, NOON)]).toEqual(['ann', 'bob'])
})

describe('approving requires the password', () => {
  const terms = { requiresFourEyes: false, passwordAbove: 50n, currency: 'USD' }

  test('above the amount of the organization, not at it', () => {
    expect(needsPassword(terms, { amount: 50n, currency: 'USD' })).toBe(false)
    expect(needsPassword(terms, { amount: 51n, currency: 'USD' })).toBe(true)
  })

  test('for every amount in a different currency', () => {
    expect(needsPassword(terms, { amount: 1n, currency: 'EUR' })).toBe(true)
  })

  test('never, if the organization sets no amount', () => {
    const never = { ...terms, passwordAbove: null }
    expect(needsPassword(never, { amount: 51n, currency: 'EUR' })).toBe(false)
  })
})
