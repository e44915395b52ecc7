import type { AnalyticsRow } from '@purser/sdk'
import { describe, expect, it } from 'vitest'
import { readForm, toForm } from '../../src/screens/agents/agent-form.ts'
import { toQuery } from '../../src/screens/agents/agent-search.ts'
import { DAYS, heatDays, heatSummary, isCounted } from '../../src/screens/agents/days.ts'
import { deletionEffect } from '../../src/screens/agents/deletion-effect.ts'
import { outlookOf } from '../../src/screens/agents/forecast.ts'

const row = (agent: string, start: string, count: number, currency = 'USD') =>
  ({ start, currency, group: { agent }, names: null, isOther: false, count }) as AnalyticsRow

describe('the last 30 days', () => {
  const days = heatDays(
    'a',
    {
      approved: [
        row('a', '2026-11-17', 3),
        row('a', '2026-11-17', 2, 'EUR'),
        row('b', '2026-11-17', 9),
      ],
      rejected: [row('a', '2026-11-17', 1), row('a', '2026-10-19', 2)],
    },
    '2026-11-17',
  )

  it('end with today and count all spends of the agent, in every currency', () => {
    expect(days).toHaveLength(DAYS)
    expect(days.at(-1)).toMatchObject({
      ...{ key: '2026-11-17', label: 'Tue 17 November', spends: 6, refused: 1 },
      href: '/transactions?agent=a&from=2026-11-17&to=2026-11-18',
    })
    expect(days[0]).toMatchObject({ key: '2026-10-19', spends: 2, refused: 2 })
  })
  it('are not known for an agent that the sums put into the rest', () => {
    const rest = { ...row('x', '2026-11-17', 4), group: null, isOther: true }
    const counts = { approved: [row('a', '2026-11-17', 3), rest], rejected: [] }
    expect(isCounted('a', counts)).toBe(true)
    expect(isCounted('b', counts)).toBe(false)
    expect(isCounted('b', { ...counts, approved: [row('a', '2026-11-17', 3)] })).toBe(true)
  })
  it('have one sentence', () => {
    expect(heatSummary(days)).toBe('8 spends in 30 days, 3 rejected')
  })
})

describe('the outlook of a budget', () => {
  const now = new Date('2026-11-17T00:00:00Z')
  const budget = {
    ...{ budgetTotal: 3000, budgetSpent: 2580, remainingBudget: 420, percentUsed: 86 },
    ...{ exhausted: false, periodEnd: '2026-12-01T00:00:00Z' },
  }

  it('names the day on which the budget is empty', () => {
    const outlook = outlookOf(budget, 60, now)
    expect(outlook).toMatchObject({ kind: 'runs_out', forecastAt: 3420 })
    expect(outlook.emptyAt?.toISOString()).toBe('2026-11-24T00:00:00.000Z')
  })
  it('says that the budget lasts', () => {
    expect(outlookOf(budget, 10, now)).toEqual({ kind: 'lasts', forecastAt: 2720, emptyAt: null })
  })
  it('knows nothing without a pace, and says when there is nothing left', () => {
    expect(outlookOf(budget, null, now).kind).toBe('unknown')
    expect(outlookOf({ ...budget, exhausted: true }, 10, now).kind).toBe('exhausted')
  })
  it('forecasts no end of a period that never ends', () => {
    expect(outlookOf({ ...budget, periodEnd: null }, 60, now)).toMatchObject({
      ...{ kind: 'runs_out', forecastAt: null },
    })
  })
})

describe('forms and filters', () => {
  it('reads tags once each and empty fields as none', () => {
    const form = { ...toForm(undefined), name: ' Buyer ', tags: 'ops, , travel,ops' }
    expect(readForm(form)).toEqual({
      ...{ name: 'Buyer', externalId: null, tags: ['ops', 'travel'], description: null },
    })
  })
  it('asks only for filters that the gateway knows', () => {
    expect(toQuery({ status: 'odd', sort: 'name', q: 'x' })).toEqual({ include: 'mandate', q: 'x' })
    expect(toQuery({ status: 'paused', sort: 'percentUsed', tag: 'a,b' })).toEqual({
      ...{ include: 'mandate', status: 'paused', sort: 'percentUsed', tag: 'a,b' },
    })
  })
  it('names what a deletion takes along', () => {
    expect(deletionEffect({ hasMandate: true, keys: 2, cards: 1 })).toBe(
      'It cannot spend from now on. Its mandate and 2 keys are revoked. 1 card is closed. Its transactions stay. This cannot be undone.',
    )
    expect(deletionEffect({ hasMandate: false, keys: 0, cards: 0 })).toBe(
      'It cannot spend from now on. Its transactions stay. This cannot be undone.',
    )
  })
})
