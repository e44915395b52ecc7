import { type DecidedApproval, PurserError } from '@purser/sdk'
import { describe, expect, it } from 'vitest'
import { answerTogether } from '../../src/screens/approvals/answer-together.ts'
import { budgetEffect } from '../../src/screens/approvals/budget-effect.ts'
import { nextChange, timeLeft } from '../../src/screens/approvals/time-left.ts'

describe('the effect on the budget', () => {
  const budget = { budgetTotal: 2400, budgetSpent: 720, remainingBudget: 1680 }

  it('says when a spend crosses 80 %', () => {
    expect(budgetEffect(budget, 1480)).toEqual({
      ...{ before: 1680, after: 200, percentBefore: 30, percentAfter: 91.66 },
      ...{ crosses: 80, isOver: false },
    })
  })
  it('says when a spend uses up the budget, and when there is not enough', () => {
    expect(budgetEffect(budget, 1680)).toMatchObject({ after: 0, crosses: 100, isOver: false })
    expect(budgetEffect(budget, 1680.01)).toMatchObject({ after: -0.01, isOver: true })
  })
  it('is silent between the marks', () => {
    expect(
      budgetEffect({ ...budget, budgetSpent: 1920, remainingBudget: 480 }, 10).crosses,
    ).toBeNull()
  })
  it('adds small amounts exactly', () => {
    const small = { budgetTotal: 1, budgetSpent: 0.1, remainingBudget: 0.9 }
    expect(budgetEffect(small, 0.7).after).toBe(0.2)
    expect(budgetEffect(small, 0.7).percentAfter).toBe(80)
  })
})

describe('the time left', () => {
  const at = '2026-11-17T10:53:00.000Z'
  const before = (seconds: number) => Date.parse(at) - seconds * 1_000

  it('is urgent under 15 minutes', () => {
    expect(timeLeft(at, before(27 * 60))).toMatchObject({ text: '27 min left', isSoon: false })
    expect(timeLeft(at, before(12 * 60))).toMatchObject({ text: '12 min left', isSoon: true })
    expect(timeLeft(at, before(38)).text).toBe('38 s left')
    expect(timeLeft(at, before(-3)).text).toBe('expires now')
  })
  it('changes with the minute, and each second at the end', () => {
    expect(nextChange(12 * 60_000 + 4_000)).toBe(4_001)
    expect(nextChange(50_000)).toBe(1_000)
  })
})

describe('several answers at once', () => {
  const decided = (also: DecidedApproval['also']) => ({ also }) as DecidedApproval
  const problem = (code: string) => new PurserError(`Problem ${code}`, { code })

  it('reports each request for itself', async () => {
    const answered = await answerTogether(['a', 'b'], async (id, alsoIds) => {
      expect([id, alsoIds]).toEqual(['a', ['b']])
      return decided([
        { id: 'b', decided: false, status: null, code: 'approval_decided', message: 'Too late.' },
      ])
    })
    expect(answered).toEqual([
      { id: 'a', isDecided: true, message: null },
      { id: 'b', isDecided: false, message: 'Too late.' },
    ])
  })
  it('goes on with the second request when the first is refused', async () => {
    const calls: string[] = []
    const answered = await answerTogether(['a', 'b', 'c'], async (id, alsoIds) => {
      calls.push([id, ...alsoIds].join(' '))
      if (id === 'a') throw problem('approval_decided')
      return decided([{ id: 'c', decided: true, status: 'approved', code: null, message: null }])
    })
    expect(calls).toEqual(['a b c', 'b c'])
    expect(answered.map(({ id, isDecided }) => [id, isDecided])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
    ])
  })
  it('stops when nothing can be answered', async () => {
    const send = () => Promise.reject(problem('reauthentication_required'))
    await expect(answerTogether(['a', 'b'], send)).rejects.toThrow(/reauthentication/)
  })
})
