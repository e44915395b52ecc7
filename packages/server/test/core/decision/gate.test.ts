import { describe, expect, test } from 'vitest'
import { closedGate, hasActiveMandate } from '../../../src/core/decision/gate.ts'
import type { KnownPayee } from '../../../src/core/spend.ts'
import { createDesk, NOON, someCard, someSpend } from '../desk.ts'

const payee: KnownPayee = {
  network: 'eip155:8453',
  address: `0x${'ab'.repeat(20)}`,
  assurance: 'gateway_observed',
  mismatch: 'The vendor directory names other payees.',
}

describe('a payee that something speaks against', () => {
  test('ends the evaluation, in the words of whoever found it', () => {
    const desk = createDesk({ rules: [{ type: 'vendors', allow: ['example.com'] }] })
    const decision = desk.ask({ payee })
    expect(decision).toMatchObject({
      decision: 'rejected',
      status: 'rejected',
      code: 'payee_mismatch',
      message: 'The vendor directory names other payees.',
    })
    expect(decision.details.rules).toEqual([])
    expect(decision.mandates).toBe(desk.account.mandates)
  })

  test('is not to be helped by another amount, nor by waiting', () => {
    expect(createDesk({}).ask({ payee }).details.next).toEqual({
      maxAmountNow: null,
      maxAmountWithApproval: null,
      retryAfter: null,
    })
  })

  test('is told only when no other gate is closed', () => {
    expect(createDesk({ validUntil: NOON }).ask({ payee }).code).toBe('mandate_expired')
    expect(createDesk({ currency: 'EUR' }).ask({ payee, currency: 'USD' }).code).toBe(
      'currency_mismatch',
    )
  })
})

test.each(['payto_pinned', 'gateway_observed', 'agent_claimed'] as const)(
  'a payee that nothing speaks against closes no gate: %s',
  (assurance) => {
    const decision = createDesk({}).ask({ payee: { ...payee, assurance, mismatch: null } })
    expect(decision.code).toBe('approved')
  },
)

test.each([
  ['USDC', 'USD', 'approved'],
  ['USD', 'USDC', 'approved'],
  ['EURC', 'EUR', 'approved'],
  ['EURC', 'USD', 'currency_mismatch'],
  ['USDC', 'EURC', 'currency_mismatch'],
])(
  'a mandate in %s and a spend in %s: %s, for a token is what it stands for',
  (own, asked, code) => {
    expect(createDesk({ currency: own }).ask({ currency: asked }).code).toBe(code)
  },
)

describe('a card that is stopped', () => {
  const stop = { card: someCard({ stop: 'card_paused' }) }

  test('ends the evaluation with its own code, before the mandate is looked at', () => {
    const { code, details } = createDesk().ask(stop)
    expect([code, details.rules]).toEqual(['card_paused', []])
    expect(createDesk({}).ask({ card: someCard({ stop: 'card_closed' }) }).code).toBe('card_closed')
    expect(createDesk({}).ask({ card: someCard() }).code).toBe('approved')
  })

  test('is told only when organization and agent may spend', () => {
    const desk = createDesk({})
    desk.account = { ...desk.account, agent: { ...desk.account.agent, status: 'paused' } }
    expect(desk.ask(stop).code).toBe('agent_paused')
  })

  test('does not keep money that moved from being booked', () => {
    expect(createDesk({}).record(stop).decision).toBe('approved')
  })
})

describe('an agent may not spend', () => {
  test('while its organization is frozen, whatever else is closed', () => {
    const desk = createDesk({})
    const { agent } = desk.account
    desk.account = { ...desk.account, organization: { frozen: true } }
    expect(desk.ask().code).toBe('organization_frozen')
    desk.account = { ...desk.account, agent: { ...agent, status: 'paused' } }
    expect(desk.ask().code).toBe('organization_frozen')
  })

  test.each(['draft', 'revoked'] as const)('by a line with a %s mandate', (status) => {
    expect(createDesk({ status }).ask().code).toBe('no_active_mandate')
    expect(createDesk({}, { status }).ask().code).toBe('no_active_mandate')
    expect(hasActiveMandate(createDesk({}, { status }).account)).toBe(false)
  })

  test('without a mandate, and the draft that only has to be activated is named', () => {
    const desk = createDesk()
    expect(hasActiveMandate(desk.account)).toBe(false)
    expect(closedGate(someSpend(), desk.account, NOON)).toEqual({
      code: 'no_active_mandate',
      message: 'The agent has no active mandate.',
    })
    const agent = { ...desk.account.agent, draftMandateId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11' }
    expect(closedGate(someSpend(), { ...desk.account, agent }, NOON)).toMatchObject({
      code: 'no_active_mandate',
      draftMandateId: 'mnd_019a85617c5e7d409b5e6f1f0a3c2b11',
    })
  })

  test('before the last mandate of its line has begun', () => {
    const { account } = createDesk({ validFrom: NOON + 5 }, { validFrom: NOON + 9 })
    expect(closedGate(someSpend(), account, NOON)).toMatchObject({
      code: 'mandate_not_started',
      opensAt: NOON + 9,
    })
    expect(closedGate(someSpend(), account, NOON + 9)).toBeUndefined()
    expect(hasActiveMandate(account)).toBe(true)
  })
})
