import { describe, expect, test } from 'vitest'
import type { RuleInput } from '../../../../src/core/rules/rule-set.ts'
import type { Assurance, KnownPayee } from '../../../../src/core/spend.ts'
import { createDesk } from '../../desk.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`

const paidTo = (assurance: Assurance): KnownPayee => ({
  network: 'eip155:8453',
  address: ADDRESS,
  assurance,
  mismatch: null,
})

const ALLOW: RuleInput = { type: 'vendors', allow: ['a.com'] }
const BLOCK: RuleInput = { type: 'vendors', block: ['b.com'] }

describe.each([
  ['allows some', ALLOW],
  ['blocks some', BLOCK],
])('a rule that %s vendors', (_, rule) => {
  const desk = createDesk({ rules: [rule] })

  test('does not take the word of the agent for who is paid', () => {
    const decision = desk.ask({ vendor: 'a.com', payee: paidTo('agent_claimed') })
    expect(decision.code).toBe('payee_mismatch')
    const [finding] = decision.details.rules
    expect(finding).toMatchObject({ outcome: 'fail', observed: ADDRESS, limit: null })
    expect(finding?.message).toContain(ADDRESS)
  })

  test.each(['payto_pinned', 'gateway_observed'] as const)(
    'takes a payee that is known otherwise: %s',
    (assurance) => {
      expect(desk.ask({ vendor: 'a.com', payee: paidTo(assurance) }).code).toBe('approved')
    },
  )

  test('asks nothing about payees of a path that pays nobody', () => {
    expect(desk.ask({ vendor: 'a.com', payee: null }).code).toBe('approved')
  })
})

describe('a claimed payee', () => {
  const payee = paidTo('agent_claimed')

  test('is not what is said first of a vendor that may not be paid at all', () => {
    expect(createDesk({ rules: [ALLOW] }).ask({ vendor: 'c.com', payee }).code).toBe(
      'vendor_not_allowed',
    )
    expect(createDesk({ rules: [BLOCK] }).ask({ vendor: 'b.com', payee }).code).toBe(
      'vendor_blocked',
    )
  })

  test('has the effect of the rule that doubts it', () => {
    const flagged = createDesk({ rules: [{ ...ALLOW, effect: 'flag' }] })
    const asked = createDesk({ rules: [{ ...ALLOW, effect: 'require_approval' }] })
    expect(flagged.ask({ vendor: 'a.com', payee }).code).toBe('approved')
    expect(asked.ask({ vendor: 'a.com', payee }).code).toBe('approval_required')
  })

  test('is doubted by the rule of a mandate above as well', () => {
    const decision = createDesk({}, { rules: [ALLOW] }).ask({ vendor: 'a.com', payee })
    expect(decision.code).toBe('payee_mismatch')
  })

  test('is no matter where no rule speaks of vendors', () => {
    const rules: RuleInput[] = [
      { type: 'amount', max: 50 },
      { type: 'categories', allow: ['llm'] },
    ]
    expect(createDesk({ rules }).ask({ payee }).code).toBe('approved')
  })
})
