import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/base/errors.ts'
import type { Mandate } from '../../../src/core/mandates/mandate.ts'
import {
  checkActivation,
  checkBudgetChange,
  checkDraftEnd,
  checkEditable,
  checkNextVersion,
  checkPlace,
  checkRevocation,
  checkTerms,
  checkTrial,
  endOf,
} from '../../../src/core/mandates/mandate-change.ts'
import { NOON, units } from '../desk.ts'
import { someMandate } from '../some-mandate.ts'
import { someTerms } from '../some-terms.ts'

const draft = (change: Partial<Mandate> = {}) => someMandate({ status: 'draft', ...change })
const expired = someMandate({ validUntil: NOON })
const revoked = someMandate({ status: 'revoked' })
const AGENTS = ['a', 'b', 'c', 'd', 'e', 'f'].map(
  (end) => `019a8561-7c5e-7d40-9b5e-6f1f0a3c2b1${end}`,
)

/** The code of the refusal and those of its fields. Empty if nothing was refused. */
function refusalOf(run: () => unknown): readonly string[] {
  try {
    run()
    return []
  } catch (err) {
    if (!(err instanceof Problem)) throw err
    return [err.code, ...err.errors.map(({ code }) => code)]
  }
}

describe('terms', () => {
  test.each([
    [null, null, []],
    [null, 0, ['validation_failed', 'in_the_past']],
    [null, 1, []],
    [5, null, []],
    [4, 5, []],
    [5, 5, ['validation_failed', 'range']],
    [6, 5, ['validation_failed', 'range']],
  ])('from %s to %s ms after now have the errors %j', (from, until, refusal) => {
    const at = (ms: number | null) => (ms === null ? null : NOON + ms)
    const terms = someTerms({ validFrom: at(from), validUntil: at(until) })
    expect(refusalOf(() => checkTerms(terms, NOON))).toEqual(refusal)
  })
})

describe('a child mandate', () => {
  const child = { ...someTerms({}), agentId: AGENTS[0] ?? '' }
  const ancestors = AGENTS.slice(1).map((agentId) => someMandate({ agentId }))
  const place = (above: readonly Mandate[], change = {}) =>
    refusalOf(() => checkPlace({ ...child, ...change }, above))

  test('has at most four ancestors', () => {
    expect(place(ancestors.slice(0, 4))).toEqual([])
    expect(place(ancestors.slice(0, 5))).toEqual(['validation_failed', 'too_deep'])
  })

  test('is for an agent that has none of its ancestors', () => {
    const own = someMandate({ agentId: child.agentId })
    expect(place([ancestors[0] ?? own, own])).toEqual(['validation_failed', 'same_agent'])
  })

  test('is not wider than any of its ancestors', () => {
    const wider = { currency: 'EUR' }
    const narrow = ancestors.slice(0, 1)
    expect(place([], wider)).toEqual([])
    expect(place(narrow, wider)[0]).toBe('mandate_wider_than_parent')
    const top = someMandate({ agentId: AGENTS[2] ?? '', currency: 'EUR' })
    expect(place([...narrow, top])[0]).toBe('mandate_wider_than_parent')
  })
})

describe('an activation', () => {
  const activate = (mandate: Mandate, parent?: Mandate) =>
    refusalOf(() => checkActivation(mandate, parent, NOON))

  test('needs a draft that has not ended', () => {
    expect(activate(draft())).toEqual([])
    expect(activate(draft({ validUntil: NOON + 1 }))).toEqual([])
    expect(activate(draft({ validUntil: NOON }))).toEqual(['mandate_state'])
    expect(activate(someMandate({}))).toEqual(['mandate_state'])
    expect(refusalOf(() => checkDraftEnd(someTerms({ validUntil: NOON }), NOON))).toHaveLength(1)
  })

  test('needs an active parent in the same currency', () => {
    expect(activate(draft(), someMandate({}))).toEqual([])
    for (const parent of [draft(), expired, revoked]) {
      expect(activate(draft(), parent)).toEqual(['parent_not_active'])
    }
    expect(activate(draft(), someMandate({ currency: 'EUR' }))).toEqual(['mandate_state'])
  })
})

describe('a change of the budget', () => {
  const change = (budgetTotal: number, mandate: Partial<Mandate> = {}) =>
    refusalOf(() => checkBudgetChange(someMandate(mandate), units(budgetTotal), NOON))

  test('goes down to what is spent, and no further', () => {
    expect(change(40, { budgetSpent: units(40) })).toEqual([])
    expect(change(39.999999, { budgetSpent: units(40) })).toEqual(['budget_below_spent'])
  })

  test('never lowers an overdrawn budget', () => {
    const budgetSpent = units(130)
    expect(change(100, { budgetSpent })).toEqual([])
    expect(change(99.999999, { budgetSpent })).toEqual(['budget_below_spent'])
  })

  test('needs an active mandate', () => {
    for (const other of [draft(), expired, revoked]) {
      expect(change(200, other)).toEqual(['mandate_state'])
    }
  })

  test('names the reason of a refusal', () => {
    const told = (budgetSpent: number) => () =>
      checkBudgetChange(someMandate({ budgetSpent: units(budgetSpent) }), units(1), NOON)
    expect(told(100)).toThrow('100 USD of the budget are already spent')
    expect(told(101)).toThrow('101 USD are already spent, more than the budget')
  })
})

describe('the status of a mandate', () => {
  const active = someMandate({})
  const all = [draft(), active, expired, revoked]
  const allowed = (check: (mandate: Mandate) => unknown) =>
    all.map((mandate) => refusalOf(() => check(mandate)).length === 0)

  test('decides what can be done with it', () => {
    expect(allowed((mandate) => checkTrial(mandate, NOON))).toEqual([true, true, false, false])
    expect(allowed((mandate) => checkRevocation(mandate, NOON))).toEqual([
      false,
      true,
      false,
      false,
    ])
    expect(allowed((mandate) => checkNextVersion(mandate, NOON))).toEqual([
      ...[false, true, false, false],
    ])
    expect(allowed((mandate) => checkEditable(mandate, ['name'], NOON))).toEqual([
      ...[true, true, false, false],
    ])
    expect([draft(), expired, revoked].map((mandate) => endOf(mandate, NOON))).toEqual([
      ...['delete', 'archive', 'archive'],
    ])
    expect(refusalOf(() => endOf(active, NOON))).toEqual(['mandate_state'])
  })

  test('decides which fields can change', () => {
    const edit = (mandate: Mandate, ...fields: string[]) =>
      refusalOf(() => checkEditable(mandate, fields, NOON)).length === 0
    const next = draft({ draftOf: active.id })
    for (const field of ['name', 'rules', 'validUntil', 'warningPercents', 'discloseLimits']) {
      expect([edit(draft(), field), edit(next, field), edit(active, field)], field).toEqual([
        ...[true, true, true],
      ])
    }
    for (const field of ['currency', 'validFrom', 'budgetPeriod', 'timezone']) {
      expect([edit(draft(), field), edit(next, field), edit(active, field)], field).toEqual([
        ...[true, false, false],
      ])
    }
    expect([edit(next, 'budgetTotal'), edit(active, 'name', 'budgetTotal')]).toEqual([true, false])
    const changed = (field: string) => () => checkEditable(active, [field], NOON)
    expect(changed('budgetTotal')).toThrow('PATCH /mandates/:id/budget')
    expect(changed('currency')).not.toThrow('PATCH /mandates/:id/budget')
  })
})
