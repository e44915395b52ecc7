import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MandateTerms } from '../../../src/core/mandates/mandate.ts'
import { narrowingErrors } from '../../../src/core/mandates/narrowing.ts'
import { type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'
import { runsOf } from '../../support/sized.ts'
import { someTerms } from '../some-terms.ts'

describe('a change of a child mandate whose parent was narrowed', () => {
  const vendors = (...allow: string[]): RuleInput => ({ type: 'vendors', allow })
  const limit = (maxAmount: number, window = 'day'): RuleInput => ({
    type: 'limit',
    maxAmount,
    window,
  })

  test.each<[string, RuleInput[], RuleInput[], RuleInput[]]>([
    ['nothing', [{ type: 'amount', max: 80 }], [{ type: 'amount', max: 80 }], []],
    [
      'a maximum that stays too high',
      [{ type: 'amount', max: 80 }],
      [{ type: 'amount', max: 60 }],
      [],
    ],
    ['one of two bounds', [{ type: 'amount', max: 80 }], [{ type: 'amount', min: 2, max: 80 }], []],
    [
      'the effect, to a stricter one',
      [{ type: 'amount', max: 80, effect: 'flag' }],
      [{ type: 'amount', max: 80 }],
      [],
    ],
    [
      'a rule of another type',
      [{ type: 'amount', max: 80 }],
      [{ type: 'amount', max: 80 }, vendors('a.com')],
      [],
    ],
    [
      'the id of the rule',
      [{ type: 'amount', max: 80 }],
      [{ type: 'amount', id: 'most', max: 80 }],
      [],
    ],
    ['the order of a list', [vendors('b.com', 'a.com')], [vendors('a.com', 'b.com')], []],
    [
      'a list, by leaving out',
      [vendors('a.com', 'b.com', 'c.com')],
      [vendors('b.com', 'c.com')],
      [],
    ],
    [
      'a list, by an entry that the parent has',
      [vendors('b.com')],
      [vendors('b.com', 'a.com')],
      [],
    ],
    ['a wildcard, to a part of it', [vendors('*.b.com')], [vendors('*.x.b.com')], []],
    ['a limit that stays too high', [limit(80)], [limit(60)], []],
    ['one limit beside another', [limit(80), limit(7, '1h')], [limit(80), limit(5, '1h')], []],
    ['the first of two limits, by removing it', [limit(7, '1h'), limit(80)], [limit(80)], []],
    [
      'a memory that stays too short',
      [{ type: 'duplicate', window: '1m' }],
      [{ type: 'duplicate', window: '2m' }],
      [],
    ],
    [
      'a threshold that stays too high',
      [{ type: 'approval', above: 80 }],
      [{ type: 'approval', above: 60 }],
      [],
    ],
  ])('may touch %s', (_, before, after) => {
    expect(errorsOf(before, after)).toEqual([])
  })

  test.each<[string, RuleInput[], RuleInput[], string[]]>([
    [
      'a higher maximum',
      [{ type: 'amount', max: 80 }],
      [{ type: 'amount', max: 81 }],
      ['/rules/0/max'],
    ],
    [
      'a maximum where it had none',
      [{ type: 'amount', min: 1 }],
      [{ type: 'amount', min: 1, max: 80 }],
      ['/rules/0/max'],
    ],
    [
      'a laxer effect',
      [{ type: 'amount', max: 80 }],
      [{ type: 'amount', max: 80, effect: 'flag' }],
      ['/rules/0/max'],
    ],
    ['another vendor', [vendors('b.com')], [vendors('b.com', 'c.com')], ['/rules/0/allow/1']],
    ['a wider wildcard', [vendors('*.x.b.com')], [vendors('*.b.com')], ['/rules/0/allow/0']],
    ['a list where it had none', [], [vendors('b.com')], ['/rules/0/allow/0']],
    ['a higher limit', [limit(80)], [limit(81)], ['/rules/0/maxAmount']],
    ['the limit of another window', [limit(80)], [limit(70, '1h')], ['/rules/0/maxAmount']],
    [
      'a shorter memory',
      [{ type: 'duplicate', window: '2m' }],
      [{ type: 'duplicate', window: '1m' }],
      ['/rules/0/window'],
    ],
    [
      'a memory of other spends',
      [{ type: 'duplicate', window: '1m' }],
      [{ type: 'duplicate', window: '2m', match: ['vendor'] }],
      ['/rules/0/window'],
    ],
    [
      'a higher threshold',
      [{ type: 'approval', above: 80 }],
      [{ type: 'approval', above: 81 }],
      ['/rules/0/above'],
    ],
    [
      'a further rule',
      [{ type: 'amount', max: 60 }],
      [
        { type: 'amount', max: 60 },
        { type: 'amount', max: 70 },
      ],
      ['/rules/1/max'],
    ],
  ])('may not state %s', (_, before, after, paths) => {
    expect(errorsOf(before, after)).toEqual(paths)
  })

  /** The parent, after it was narrowed. */
  const PARENT: RuleInput[] = [
    { type: 'amount', max: 50 },
    vendors('a.com'),
    limit(50),
    limit(50, '1h'),
    { type: 'duplicate', window: '10m' },
    { type: 'duplicate', window: '10m', match: ['vendor'] },
    { type: 'approval', above: 50 },
  ]

  function errorsOf(before: RuleInput[], after: RuleInput[]): string[] {
    const parent = someTerms({ rules: toRules(PARENT) })
    const [from, to] = [before, after].map((rules) => someTerms({ rules: toRules(rules) }))
    return narrowingErrors(to ?? parent, parent, from).map(({ path }) => path)
  }
})

describe('whatever a parent has become, a child mandate', () => {
  test('may be stored as it is', () => {
    fc.assert(
      fc.property(someStates, someStates, (parent, child) => {
        expect(narrowingErrors(toTerms(child), toTerms(parent), toTerms(child))).toEqual([])
      }),
    )
  })

  test('may change to what is neither wider than its parent nor than itself, and to nothing else', () => {
    fc.assert(
      fc.property(someStates, someStates, someStates, (parent, before, after) => {
        const errors = narrowingErrors(toTerms(after), toTerms(parent), toTerms(before))
        const found = new Set(errors.map(({ path }) => path))
        expect(found).toEqual(new Set(naiveErrors(parent, before, after)))
      }),
      { numRuns: runsOf(500, 2_000) },
    )
  })
})

/** Few values, so that the three often agree in some of them. */
interface State {
  readonly budget: number
  readonly from: number | null
  readonly until: number | null
  readonly max: number | null
  readonly perDay: number | null
  readonly perHour: number | null
  readonly hosts: readonly string[] | null
}

const few = fc.integer({ min: 1, max: 4 })
const someStates: fc.Arbitrary<State> = fc.record({
  budget: few,
  from: fc.option(few),
  until: fc.option(few.map((value) => value + 4)),
  max: fc.option(few),
  perDay: fc.option(few),
  perHour: fc.option(few),
  hosts: fc.option(fc.shuffledSubarray(['a.com', 'b.com', 'c.com'], { minLength: 1 })),
})

const RULES = ['max', 'perDay', 'perHour', 'hosts'] as const

function toTerms(state: State): MandateTerms {
  const { budget, from, until, max, perDay, perHour, hosts } = state
  const inputs = {
    max: { type: 'amount', max },
    perDay: { type: 'limit', maxAmount: perDay, window: 'day' },
    perHour: { type: 'limit', maxAmount: perHour, window: '1h' },
    hosts: { type: 'vendors', allow: hosts },
  }
  const stated = RULES.filter((name) => state[name] !== null).map((name) => inputs[name])
  return someTerms({
    budgetTotal: BigInt(budget),
    validFrom: from,
    validUntil: until,
    rules: toRules(stated as RuleInput[]),
  })
}

function naiveErrors(parent: State, before: State, after: State): string[] {
  const isWider = (name: 'budget' | 'until' | 'max' | 'perDay' | 'perHour'): boolean =>
    exceeds(after[name], parent[name]) && !isAtMost(after[name], before[name])
  const startsEarlier = exceeds(parent.from, after.from) && !isAtMost(before.from, after.from)
  const stated = RULES.filter((name) => after[name] !== null)
  return [
    ...(isWider('budget') ? ['/budgetTotal'] : []),
    ...(startsEarlier ? ['/validFrom'] : []),
    ...(isWider('until') ? ['/validUntil'] : []),
    ...stated.flatMap((name, index) => {
      if (name === 'hosts') return newHosts(parent, before, after, index)
      return isWider(name) ? [`/rules/${index}/${name === 'max' ? 'max' : 'maxAmount'}`] : []
    }),
  ]
}

function newHosts(parent: State, before: State, after: State, rule: number): string[] {
  const { hosts } = parent
  if (!hosts) return []
  const known = [...hosts, ...(before.hosts ?? [])]
  return (after.hosts ?? []).flatMap((host, index) =>
    known.includes(host) ? [] : [`/rules/${rule}/allow/${index}`],
  )
}

function exceeds(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && one > other
}

function isAtMost(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && one <= other
}
