import fc from 'fast-check'
import type { Owner, TestApp } from '../support/app.ts'
import { anApprover, decideOn } from '../support/approvals.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { type Evaluated, evaluate } from '../support/spends.ts'

/** Random pasts of an agent, lived through a real gateway with a clock that is turned. */

const START = Date.parse('2031-03-05T09:00Z')
const SECOND = 1_000
const HOUR = 3_600_000

type Rule = Readonly<Record<string, unknown>>

export type LifeStep =
  | { readonly kind: 'spend'; readonly who: Who; readonly fields: object }
  | Ending
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'ask'; readonly amount: number }
  | { readonly kind: 'pause'; readonly isPaused: boolean }
  | { readonly kind: 'freeze'; readonly isFrozen: boolean }
  | { readonly kind: 'budget'; readonly budgetTotal: number }
  | { readonly kind: 'rules'; readonly rules: readonly Rule[] }

interface Ending {
  readonly kind: 'end'
  readonly how: 'settle' | 'void' | 'refund'
  readonly which: number
  readonly part: number
}

type Who = 'own' | 'beside' | 'below'

interface History {
  readonly rules: readonly Rule[]
  readonly steps: readonly LifeStep[]
  readonly aboveRules?: readonly Rule[]
}

const effects = fc.constantFrom('reject', 'flag', 'require_approval')
const windows = fc.constantFrom('10s', '1h', '7h', 'hour', 'day', 'period')

const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({
    type: fc.constant('amount'),
    max: fc.integer({ min: 10, max: 50 }),
    effect: effects,
  }),
  fc.record(
    {
      type: fc.constant('limit'),
      window: windows,
      maxAmount: fc.integer({ min: 20, max: 120 }),
      maxCount: fc.integer({ min: 1, max: 5 }),
      groupBy: fc.constantFrom('vendor', 'category'),
      effect: effects,
    },
    { requiredKeys: ['type', 'window', 'maxAmount'] },
  ),
  fc.record({
    type: fc.constant('duplicate'),
    window: fc.constantFrom('10s', '10m', '1d'),
    match: fc.constantFrom(['vendor'], ['vendor', 'amount'], ['vendor', 'amount', 'reference']),
  }),
  fc.record({
    type: fc.constant('new_vendor'),
    effect: fc.constantFrom('flag', 'require_approval'),
  }),
  fc.record({ type: fc.constant('price_drift'), maxIncreasePercent: fc.constantFrom(10, 100) }),
  fc.record({ type: fc.constant('approval'), above: fc.integer({ min: 20, max: 40 }) }),
  fc.record({
    type: fc.constant('expression'),
    expr: fc.constantFrom(
      "spent.day + amount <= money('90')",
      'count.hour < 4',
      "!('slow' in agent.tags) || amount < money('25')",
      "spent.total < money('150')",
    ),
  }),
  fc.record({
    type: fc.constant('schedule'),
    windows: fc.constant([{ from: '08:00', to: '20:00' }]),
  }),
)

export const ruleSets = fc.array(rule, { maxLength: 4 })

const fields = fc.record(
  {
    amount: fc.oneof(fc.constantFrom(5, 12.5, 30), fc.integer({ min: 1, max: 45 })),
    vendor: fc.constantFrom('a.example.com', 'b.example.com'),
    category: fc.constantFrom('llm', 'search'),
    reference: fc.constantFrom('r', 's'),
  },
  { requiredKeys: ['amount', 'vendor', 'category'] },
)
const waits: fc.Arbitrary<LifeStep> = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.oneof(
    fc.integer({ min: 1, max: 30 * SECOND }),
    fc.integer({ min: HOUR / 60, max: 20 * HOUR }),
  ),
})
const ownSpends = fc.record({
  kind: fc.constant('spend' as const),
  who: fc.constant('own' as const),
  fields,
})

/** Only what an agent asks for and gets at once. */
export const spends: fc.Arbitrary<LifeStep[]> = fc.array(
  fc.oneof({ arbitrary: ownSpends, weight: 3 }, waits),
  { minLength: 5, maxLength: 25 },
)

const anyStep: fc.Arbitrary<LifeStep> = fc.oneof(
  { arbitrary: ownSpends, weight: 4 },
  waits,
  fc.record({
    kind: fc.constant('spend' as const),
    who: fc.constantFrom<Who>('own', 'beside', 'below'),
    fields: fields.chain((told) =>
      fc.constantFrom('10s', '1h').map((expiresIn) => ({ ...told, hold: { expiresIn } })),
    ),
  }),
  fc.record({
    kind: fc.constant('spend' as const),
    who: fc.constantFrom<Who>('beside', 'below'),
    fields,
  }),
  fc.record({
    kind: fc.constant('end' as const),
    how: fc.constantFrom('settle', 'void', 'refund'),
    which: fc.nat({ max: 20 }),
    part: fc.constantFrom(0.5, 1),
  }),
  fc.record({ kind: fc.constant('ask' as const), amount: fc.integer({ min: 15, max: 45 }) }),
  fc.record({ kind: fc.constant('pause' as const), isPaused: fc.boolean() }),
  fc.record({ kind: fc.constant('freeze' as const), isFrozen: fc.boolean() }),
  fc.record({
    kind: fc.constant('budget' as const),
    budgetTotal: fc.integer({ min: 60, max: 300 }),
  }),
)

const newRules: fc.Arbitrary<LifeStep> = fc.record({
  kind: fc.constant('rules' as const),
  rules: ruleSets,
})

export const aHistory: fc.Arbitrary<History> = fc.record({
  rules: ruleSets,
  aboveRules: fc.constantFrom<readonly Rule[]>(
    [],
    [{ type: 'limit', window: 'day', maxAmount: 200 }],
    [{ type: 'new_vendor', effect: 'flag' }],
  ),
  steps: fc.array(anyStep, { minLength: 10, maxLength: 30 }),
})

/** The same, with several versions of the mandate. */
export const aHistoryOfVersions: fc.Arbitrary<History> = fc.record({
  rules: ruleSets,
  steps: fc.array(fc.oneof({ arbitrary: anyStep, weight: 8 }, newRules), {
    minLength: 15,
    maxLength: 40,
  }),
})

interface Life {
  readonly agentId: string
  readonly mandateId: string
  /** What was decided for the agent itself, in order. */
  readonly decisions: readonly string[]
  readonly ids: readonly string[]
}

/** Lives a history through the gateway: each time with agents of its own, and from the same instant. */
export async function lived(app: TestApp, acme: Owner, history: History): Promise<Life> {
  app.clock.now = START
  const { rules, steps, aboveRules = [] } = history
  const top = await anActiveMandate(acme, {
    budgetTotal: 400,
    budgetPeriod: 'daily',
    rules: aboveRules,
  })
  const line = { budgetPeriod: 'daily', budgetTotal: 160 }
  const { id: agentId } = await anAgent(acme, { tags: ['slow'] })
  const own = await anActiveMandate(acme, { ...line, agentId, parentMandateId: top.id, rules })
  const beside = await anActiveMandate(acme, { ...line, parentMandateId: top.id })
  const below = await anActiveMandate(acme, { ...line, parentMandateId: own.id })
  const agents = { own: agentId, beside: beside.agentId, below: below.agentId }
  const approver = await anApprover(app, acme)
  const { client: agent } = await aKey(app, acme, {
    name: 'Agent',
    agentIds: Object.values(agents),
  })
  const decided: Evaluated[] = []
  const all: Evaluated[] = []

  async function spend(who: Who, asked: object): Promise<Evaluated> {
    const answer = await evaluate(agent, agents[who], { ...asked })
    all.push(answer)
    if (who === 'own') decided.push(answer)
    return answer
  }

  /** What cannot be ended any more is refused, which changes nothing. */
  async function end({ how, which, part }: Ending): Promise<void> {
    const one = all[which % Math.max(1, all.length)]
    if (!one) return
    const amount = Math.max(0.01, Math.round(one.amount * part * 100) / 100)
    const body = how === 'void' ? undefined : { amount }
    await acme.post(`/transactions/${one.transactionId}/${how}`, body)
  }

  async function ask(amount: number): Promise<void> {
    const fields = { amount, vendor: 'c.example.com', category: 'llm' }
    const { evaluationDetails } = await spend('own', fields)
    const approvalId = evaluationDetails.approval?.id
    if (approvalId === undefined) return
    await decideOn(approver, approvalId)
    await spend('own', { ...fields, approvalId })
  }

  async function step(next: LifeStep): Promise<unknown> {
    switch (next.kind) {
      case 'spend':
        return spend(next.who, next.fields)
      case 'wait':
        app.clock.now = (app.clock.now ?? START) + next.ms
        return
      case 'end':
        return end(next)
      case 'ask':
        return ask(next.amount)
      case 'pause': {
        const status = next.isPaused ? 'paused' : 'active'
        return bodyOf(await acme.patch(`/agents/${agentId}`, { status }))
      }
      case 'freeze':
        return bodyOf(await acme.patch('/organization', { frozen: next.isFrozen }))
      // A budget below what is spent is refused, which changes nothing.
      case 'budget':
        return acme.patch(`/mandates/${own.id}/budget`, { budgetTotal: next.budgetTotal })
      case 'rules':
        return bodyOf(await acme.patch(`/mandates/${own.id}`, { rules: next.rules }))
    }
  }
  for (const next of steps) await step(next)
  bodyOf(await acme.patch('/organization', { frozen: false }))
  const ids = decided.map(({ transactionId }) => transactionId)
  return { agentId, mandateId: own.id, decisions: decided.map(({ decision }) => decision), ids }
}
