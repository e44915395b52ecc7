import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Permit } from '../../../src/core/approvals/permit.ts'
import { type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'
import { createDesk, type Desk, NOON, units } from '../desk.ts'
import { withRulesOf } from './with-rules.ts'

const BUDGET = 60
const LIMIT = 45
const MINUTE_MS = 60_000

/** What can happen, one after the other. */
type Step =
  | { readonly do: 'spend'; readonly amount: number; readonly vendor: string }
  | { readonly do: 'use'; readonly which: number; readonly more: number }
  | { readonly do: 'approve' | 'reject'; readonly which: number }
  | { readonly do: 'change'; readonly above: number }
  | { readonly do: 'wait'; readonly minutes: number }

const amount = fc.integer({ min: 1, max: 30 })
const which = fc.nat({ max: 20 })
const vendor = fc.constantFrom('a.com', 'b.com')
const more = fc.constantFrom(0, 0, 0, -1, 1)
const spending = fc.record({ do: fc.constant('spend' as const), amount, vendor })
const using = fc.record({ do: fc.constant('use' as const), which, more })
const approving = fc.record({ do: fc.constant('approve' as const), which })
const rejecting = fc.record({ do: fc.constant('reject' as const), which })
const changing = fc.record({ do: fc.constant('change' as const), above: fc.constantFrom(3, 5) })
// All steps together end on the same day, so that the limit of the day is one for all of them.
const waiting = fc.record({
  do: fc.constant('wait' as const),
  minutes: fc.integer({ min: 1, max: 9 }),
})
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: spending },
    { weight: 6, arbitrary: using },
    { weight: 6, arbitrary: approving },
    { weight: 1, arbitrary: rejecting },
    { weight: 1, arbitrary: changing },
    { weight: 2, arbitrary: waiting },
  ),
  { minLength: 5, maxLength: 60 },
)

const rulesWith = (above: number): RuleInput[] => [
  { type: 'approval', above },
  { type: 'new_vendor', effect: 'require_approval' },
  { type: 'limit', maxAmount: 20, window: '1h', effect: 'require_approval' },
  { type: 'limit', maxAmount: LIMIT, window: 'day' },
]

/** A desk with the people and the approvals of it. */
interface Scene {
  readonly desk: Desk
  readonly permits: { permit: Permit; amount: number }[]
  readonly made: { amount: number; approvalId: string | null; asked: boolean }[]
  approvals: number
  now: number
}

function take(scene: Scene, step: Step): void {
  const chosen = 'which' in step ? scene.permits[step.which % scene.permits.length] : undefined
  switch (step.do) {
    case 'spend':
      spend(scene, step.amount, step.vendor, undefined)
      return
    case 'use':
      if (chosen) spend(scene, chosen.amount + step.more, chosen.permit.vendor, chosen)
      return
    case 'approve':
    case 'reject':
      if (chosen?.permit.status !== 'pending' || chosen.permit.expiresAt <= scene.now) return
      if (step.do === 'approve') scene.approvals += 1
      chosen.permit = {
        ...chosen.permit,
        status: step.do === 'approve' ? 'approved' : 'rejected',
        expiresAt: scene.now + 15 * MINUTE_MS,
      }
      return
    case 'change':
      scene.desk.account = withRulesOf(scene.desk.account, toRules(rulesWith(step.above)))
      return
    case 'wait':
      scene.now += step.minutes * MINUTE_MS
  }
}

function spend(
  scene: Scene,
  wanted: number,
  vendorOfIt: string,
  chosen: { permit: Permit } | undefined,
): void {
  const { desk, made, permits, now } = scene
  if (wanted <= 0) return
  desk.account = { ...desk.account, permit: chosen?.permit }
  const decision = desk.spend({ amount: units(wanted), vendor: vendorOfIt }, now)
  const { question, usedApprovalId } = decision
  if (decision.decision === 'approved') {
    const asked = decision.details.rules.some(({ message }) => message.includes('allows it'))
    made.push({ amount: wanted, approvalId: usedApprovalId, asked })
    if (chosen && usedApprovalId !== null) chosen.permit = { ...chosen.permit, status: 'used' }
  }
  if (!question || question.waitingFor !== null) return
  const { category, path } = decision.spend
  permits.push({
    amount: wanted,
    permit: {
      approvalId: `0198c5a0-0000-7000-b000-${String(permits.length).padStart(12, '0')}`,
      status: 'pending',
      expiresAt: now + question.waitsMs,
      vendor: vendorOfIt,
      category,
      path,
      payee: null,
      cardId: null,
      maxAmount: units(wanted),
      currency: 'USD',
      lifts: question.lifts,
    },
  })
}

test('no sequence of approvals and spends exceeds a budget, or a limit that did not ask', () => {
  let approvedWithPermit = 0
  fc.assert(
    fc.property(steps, (all) => {
      const desk = createDesk({ budgetTotal: units(BUDGET), rules: rulesWith(5) })
      const scene: Scene = { desk, permits: [], made: [], approvals: 0, now: NOON }
      for (const step of all) take(scene, step)
      const { made, approvals } = scene
      const sum = made.reduce((total, { amount: each }) => total + each, 0)
      expect(sum).toBeLessThanOrEqual(LIMIT)
      expect(desk.account.mandates[0]?.spent).toBe(units(sum))
      const used = made.flatMap(({ approvalId }) => approvalId ?? [])
      expect(new Set(used).size).toBe(used.length)
      expect(used.length).toBeLessThanOrEqual(approvals)
      // Whatever needed a person had one.
      for (const { amount: each, approvalId, asked } of made) {
        if (each > 5 || asked) expect(approvalId).not.toBeNull()
      }
      approvedWithPermit += used.length
    }),
    { numRuns: 200 },
  )
  // Otherwise nothing of this was tried.
  expect(approvedWithPermit).toBeGreaterThan(50)
})
