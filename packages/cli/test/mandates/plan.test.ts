import { expect, test } from 'vitest'
import { hasChanges, needsConsent } from '../../src/mandates/plan.ts'
import { toPlanJson, toPlanText } from '../../src/mandates/plan-text.ts'
import { agentOf, mandateOf, planFor } from './objects.ts'

const SAME = `agent: research
name: Budget
budgetTotal: 100
budgetPeriod: monthly
rules:
  - {type: amount, max: 20}
`

test('a mandate that is as its file says needs nothing', () => {
  const { plan, steps, lines } = planFor(SAME, { mandates: [mandateOf()] })
  expect({ steps, lines }).toEqual({ steps: [], lines: [] })
  expect(hasChanges(plan)).toBe(false)
  expect(toPlanText(plan)).toBe(
    'Unchanged:\n  Research / Budget (mnd_1, active, version 3)\nNothing to do.',
  )
})

test('terms that a file does not name do not count, and the order of rules has no meaning', () => {
  const rules = [
    { type: 'new_vendor', id: 'new_vendor', effect: 'flag' },
    { type: 'amount', id: 'amount', effect: 'reject', max: 20 },
  ] as const
  const mandates = [mandateOf({ rules, validUntil: '2027-01-01T00:00:00.000Z' })]
  expect(planFor('{agent: research, name: Budget}', { mandates }).steps).toEqual([])
  const turned =
    '{agent: research, name: Budget, validUntil: "2027-01-01T01:00:00+01:00", rules: [{type: amount, max: 20}, {type: new_vendor, effect: flag}]}'
  expect(planFor(turned, { mandates }).steps).toEqual([])
})

test('a mandate that does not exist is created and activated', () => {
  const { plan, steps, lines } = planFor(SAME)
  expect(lines).toEqual([])
  expect(steps).toEqual([
    {
      action: 'create',
      parentEntry: null,
      input: {
        agentId: 'agent-1',
        name: 'Budget',
        budgetTotal: 100,
        budgetPeriod: 'monthly',
        rules: [{ type: 'amount', max: 20 }],
      },
    },
    { action: 'activate', draft: null, expectedVersion: null },
  ])
  expect(needsConsent(plan)).toBe(true)
  expect(toPlanText(plan)).toBe(`Research / Budget (new)   a.yaml:1
    + budgetTotal: 100
    + budgetPeriod: monthly
    + rules: [{"type":"amount","max":20}]
  create the draft
  activate the draft (asks first)

Plan ${plan.id}: 2 steps for 1 mandate.`)
})

test('other rules become a draft of the next version, which names only changed terms', () => {
  const text = SAME.replace('max: 20', 'max: 25').replace('Total: 100', 'Total: 200')
  const { plan, steps } = planFor(text, { mandates: [mandateOf()] })
  expect(steps).toEqual([
    {
      action: 'draft_next',
      mandateId: 'mnd_1',
      input: { draftOf: 'mnd_1', budgetTotal: 200, rules: [{ type: 'amount', max: 25 }] },
    },
    { action: 'activate', draft: null, expectedVersion: 3 },
  ])
  expect(toPlanText(plan)).toContain(`
    ~ budgetTotal: 100 -> 200
    ~ rules.amount.max: 20 -> 25
  draft version 4
  activate the draft as version 4 (asks first)
`)
})

test('a draft of the next version that says the same is used, and a different one is not', () => {
  const text = SAME.replace('max: 20', 'max: 25')
  const rules = [{ type: 'amount', id: 'amount', effect: 'reject', max: 25 }] as const
  const next = mandateOf({
    id: 'mnd_2',
    status: 'draft',
    version: 1,
    draftOf: 'mnd_1',
    draftOfVersion: 3,
    rules,
  })
  const used = planFor(text, { mandates: [mandateOf(), next] })
  expect(used.steps).toEqual([
    { action: 'activate', draft: { id: 'mnd_2', updatedAt: next.updatedAt }, expectedVersion: 3 },
  ])
  expect(planFor(text, { mandates: [mandateOf(), next] }, false).steps).toEqual([])
  for (const other of [{ draftOfVersion: 2 }, { budgetTotal: 500 }, { name: 'Renamed' }]) {
    const { steps } = planFor(text, { mandates: [mandateOf(), { ...next, ...other }] })
    expect(steps.map(({ action }) => action)).toEqual(['draft_next', 'activate'])
  }
})

test('only raising a budget asks', () => {
  const raised = planFor(SAME.replace('100', '150'), { mandates: [mandateOf()] })
  expect(raised.steps).toEqual([
    {
      action: 'set_budget',
      mandateId: 'mnd_1',
      expectedVersion: 3,
      budgetTotal: 150,
      raises: true,
    },
  ])
  expect(needsConsent(raised.plan)).toBe(true)
  expect(toPlanText(raised.plan)).toContain('raise the budget to 150.00 USD (asks first)')
  expect(toPlanText(raised.plan, { yes: true })).not.toContain('asks first')
  const lowered = planFor(SAME.replace('100', '50'), { mandates: [mandateOf()] })
  expect(lowered.steps).toMatchObject([{ raises: false }])
  expect(needsConsent(lowered.plan)).toBe(false)
})

test('a draft is changed in place, and then activated', () => {
  const draft = mandateOf({ status: 'draft', version: 1, currency: 'EUR' })
  const text = `${SAME}currency: USD\n`
  expect(planFor(text, { mandates: [draft] }).steps).toEqual([
    {
      action: 'update_draft',
      mandateId: 'mnd_1',
      expectedUpdatedAt: draft.updatedAt,
      change: { currency: 'USD' },
    },
    { action: 'activate', draft: null, expectedVersion: null },
  ])
  expect(planFor(SAME, { mandates: [draft] }).steps).toEqual([
    {
      action: 'activate',
      draft: { id: 'mnd_1', updatedAt: draft.updatedAt },
      expectedVersion: null,
    },
  ])
  expect(planFor(SAME, { mandates: [draft] }, false).steps).toEqual([])
})

test('a run that only makes drafts changes nothing in force', () => {
  const { plan, steps } = planFor(SAME.replace('100', '150'), { mandates: [mandateOf()] }, false)
  expect(steps).toMatchObject([{ action: 'draft_next', input: { budgetTotal: 150 } }])
  expect(needsConsent(plan)).toBe(false)
})

test.each([
  [
    'a term that an active mandate keeps',
    `${SAME}currency: EUR\n`,
    { mandates: [mandateOf()] },
    'a.yaml:7: currency cannot change: mnd_1 is active and keeps USD. Use a different name for a new mandate',
  ],
  [
    'a new mandate without a budget',
    '{agent: research, name: New}',
    {},
    'a.yaml:1: budgetTotal is required for a new mandate',
  ],
  [
    'a revoked mandate, whose revocation a file does not undo',
    SAME,
    { mandates: [mandateOf({ status: 'revoked', revokedAt: '2026-11-02T00:00:00.000Z' })] },
    'a.yaml:2: name belongs to mnd_1, which was revoked at 2026-11-02T00:00:00.000Z. A file does not undo a revocation: choose a different name, or archive that mandate with purser mandates delete',
  ],
  [
    'an agent with a second active mandate',
    SAME,
    { mandates: [mandateOf({ id: 'mnd_9', name: 'Old' })] },
    'a.yaml:2: name cannot be activated: the agent already has the active mandate mnd_9 (Old). Revoke that one first, or only make a draft with purser mandates draft',
  ],
  [
    'an unknown agent',
    SAME,
    { agents: [] },
    'a.yaml:1: agent is wrong: there is no agent with the externalId or name “research”',
  ],
  [
    'two agents that fit',
    SAME,
    { agents: [agentOf(), agentOf({ id: 'agent-2', externalId: null, name: 'research' })] },
    'a.yaml:1: agent means two agents: agent-1 (Research) and agent-2 (research). Give each agent its own externalId, and write agent: {externalId: …}',
  ],
  [
    'two mandates that fit',
    SAME,
    { mandates: [mandateOf(), mandateOf({ id: 'mnd_2', status: 'draft' })] },
    'a.yaml:2: name means two mandates: mnd_1 (active) and mnd_2 (draft). Rename or delete one of them',
  ],
  [
    'an unknown parent',
    `${SAME}parent: {agent: research, name: Nothing}\n`,
    {},
    'a.yaml:7: parent.name is the name of no draft or active mandate of this agent',
  ],
  [
    'a different parent',
    `${SAME}parent: {agent: head, name: Department}\n`,
    {
      agents: [agentOf(), agentOf({ id: 'agent-2', externalId: 'head' })],
      mandates: [mandateOf(), mandateOf({ id: 'mnd_2', agentId: 'agent-2', name: 'Department' })],
    },
    'a.yaml:7: parent cannot change: mnd_1 keeps its parent (none). Use a different name for a new mandate',
  ],
  [
    'a parent that is a draft',
    `${SAME}parent: {agent: head, name: Department}\n`,
    {
      agents: [agentOf(), agentOf({ id: 'agent-2', externalId: 'head' })],
      mandates: [
        mandateOf({ id: 'mnd_2', agentId: 'agent-2', name: 'Department', status: 'draft' }),
      ],
    },
    'a.yaml:7: parent is the draft mnd_2. A child mandate can be activated only while its parent is active',
  ],
])('%s is a mistake', (_, text, snapshot, line) => {
  expect(planFor(text, snapshot).lines).toEqual([line])
})

test('a file renews an expired mandate only if it names the new end', () => {
  const mandates = [mandateOf({ status: 'expired', validUntil: '2026-11-02T00:00:00.000Z' })]
  expect(planFor(SAME, { mandates }).lines).toEqual([
    'a.yaml:2: name belongs to mnd_1, which expired at 2026-11-02T00:00:00.000Z. A file that names no validUntil does not renew it: choose a different name, or archive that mandate with purser mandates delete',
  ])
  const renewed = planFor(`${SAME}validUntil: 2028-01-01T00:00:00Z\n`, { mandates })
  expect(renewed.lines).toEqual([])
  expect(renewed.steps.map(({ action }) => action)).toEqual(['create', 'activate'])
})

test('a draft is not activated if a mandate of its name was revoked after it was made', () => {
  const draft = mandateOf({ id: 'mnd_2', status: 'draft', createdAt: '2026-11-03T00:00:00.000Z' })
  const revoked = (revokedAt: string) => mandateOf({ status: 'revoked', revokedAt })
  const later = { mandates: [draft, revoked('2026-11-04T00:00:00.000Z')] }
  expect(planFor(SAME, later).lines).toHaveLength(1)
  expect(planFor(SAME, later, false).lines).toEqual([])
  const earlier = { mandates: [draft, revoked('2026-11-02T00:00:00.000Z')] }
  expect(planFor(SAME, earlier).lines).toEqual([])
})

const CHILD = `agent: research
name: Budget
budgetTotal: 10
parent: {agent: head, name: Department}
`
const PARENT = '{agent: {externalId: head}, name: Department, budgetTotal: 500}'
const HEAD = agentOf({ id: 'agent-2', externalId: 'head', name: 'Head' })

test('a parent of the same run is made before its child', () => {
  const { plan, lines } = planFor([CHILD, PARENT], { agents: [agentOf(), HEAD] })
  expect(lines).toEqual([])
  expect(plan.entries.map(({ name }) => name)).toEqual(['Department', 'Budget'])
  expect(plan.entries[1]?.steps[0]).toMatchObject({ action: 'create', parentEntry: 0 })
})

test('an existing parent is named by its id', () => {
  const mandates = [mandateOf({ id: 'mnd_2', agentId: 'agent-2', name: 'Department' })]
  const { steps, lines } = planFor(CHILD, { agents: [agentOf(), HEAD], mandates })
  expect(lines).toEqual([])
  expect(steps[0]).toMatchObject({ input: { parentMandateId: 'mnd_2' }, parentEntry: null })
})

test('a child mandate without an end has the end of its parent', () => {
  const validUntil = '2027-01-01T00:00:00.000Z'
  const parent = mandateOf({ id: 'mnd_2', agentId: 'agent-2', name: 'Department', validUntil })
  const child = mandateOf({ parentMandateId: 'mnd_2', validUntil })
  const mandates = [parent, child]
  expect(planFor(`${SAME}validUntil: null\n`, { mandates }).steps).toEqual([])
  const own = [parent, { ...child, validUntil: '2026-12-01T00:00:00.000Z' }]
  expect(planFor(`${SAME}validUntil: null\n`, { mandates: own }).steps).toHaveLength(2)
})

test('mandates cannot be parents of each other', () => {
  const other = `${PARENT.slice(0, -1)}, parent: {agent: research, name: Budget}}`
  const { lines } = planFor([CHILD, other], { agents: [agentOf(), HEAD] })
  expect(lines).toEqual(['a.yaml:4: parent is a child of this mandate, so it cannot be its parent'])
})

test('two files that mean one mandate or one agent are a mistake', () => {
  const again = SAME.replace('agent: research', 'agent: {name: Research}')
  expect(planFor([SAME, again]).lines).toContain(
    'b.yaml:2: name means the same mandate as a.yaml:1',
  )
  expect(planFor([SAME, SAME.replace('Budget', 'Second')]).lines).toEqual([
    'b.yaml:2: name cannot be activated: the agent already has the mandate of a.yaml:1. Revoke that one first, or only make a draft with purser mandates draft',
  ])
})

test('the same plan has the same id, and a mandate with a new version a different one', () => {
  const text = SAME.replace('100', '150')
  const idWith = (version: number) => planFor(text, { mandates: [mandateOf({ version })] }).plan.id
  expect(idWith(3)).toBe(idWith(3))
  expect(idWith(3)).not.toBe(idWith(4))
})

test('the plan as JSON has the steps and says which of them ask', () => {
  const { plan } = planFor(SAME.replace('100', '150'), { mandates: [mandateOf()] })
  expect(toPlanJson(plan)).toMatchObject({
    plan: plan.id,
    changed: true,
    mandates: [
      {
        file: 'a.yaml',
        mandate: { id: 'mnd_1', version: 3 },
        differences: [{ field: 'budgetTotal', before: 100, after: 150 }],
        steps: [{ action: 'set_budget', asks: true }],
      },
    ],
  })
})

test('a name cannot look like a separate line of the plan', () => {
  const agents = [agentOf({ name: 'Research\nUnchanged: everything' })]
  expect(toPlanText(planFor(SAME, { agents }).plan)).toContain('Research?Unchanged: everything')
})
