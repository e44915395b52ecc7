import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { askingOf } from '../src/core/approvals/asking.ts'
import { type RuleInput, toRules } from '../src/core/rules/rule-set.ts'
import { canonicalLine } from '../src/core/tokens/claims.ts'
import { requireDelegationKey } from '../src/paths/acp/drop-in/delegation-request.ts'
import { someMandate } from './core/some-mandate.ts'
import { someTerms } from './core/some-terms.ts'
import { sessionOf } from './paths/acp/versions/some-session.ts'
import { createTestApp } from './support/app.ts'
import { anActiveMandate } from './support/builders.ts'
import { evaluate } from './support/spends.ts'

const RULES: readonly RuleInput[] = [
  { type: 'amount', id: 'size', min: 0.001, max: 50, effect: 'require_approval' },
  { type: 'vendors', allow: ['*.example.com', 'api.openai.com'], effect: 'require_approval' },
  {
    type: 'limit',
    match: { vendor: 'shop.example', category: 'search' },
    maxAmount: 1e6,
    maxCount: 60,
    window: '1h',
    effect: 'require_approval',
  },
  {
    type: 'schedule',
    windows: [{ days: ['mon', 'fri'], from: '07:00', to: '19:00' }],
    effect: 'require_approval',
  },
  {
    type: 'expression',
    expr: "category != 'süß' && amount < money('20.5')",
    effect: 'require_approval',
  },
  { type: 'approval', above: 25.25, expiresIn: '30m' },
]

/**
 * Databases and tokens contain these hashes, even after the code that computes them changes.
 * A different result would break approvals that were given, open checkouts and retries of
 * requests, so never adapt the values here to the code.
 */
describe('the stored hash', () => {
  test('of a rule that requires approval', () => {
    const asking = toRules(RULES).map((rule) => askingOf(rule, someTerms({}))?.settingsHash)
    expect(asking).toEqual(SETTINGS_HASHES)
  })

  test('of the line that a mandate token attests', () => {
    const line = [someMandate({ name: 'Süßes', rules: toRules(RULES) }), someMandate({})]
    expect(createHash('sha256').update(canonicalLine(line)).digest('hex')).toBe(LINE_HASH)
  })

  test('of a checkout session', () => {
    expect(sessionOf().fingerprint).toBe(SESSION_HASH)
  })

  test('of a request for a delegated payment', () => {
    const body = {
      payment_method: { type: 'card', number: 'card-1' },
      allowance: { reason: 'one_time', max_amount: 4_500, currency: 'usd' },
      metadata: { b: 'ü"\\\n', 10: 'x', 9: 'y' },
      risk_signals: [{ score: 0.25 }, null, true, 1e21],
    }
    expect(keyOf(body)).toBe(REQUEST_HASH)
    expect(keyOf(undefined)).toBe(NO_BODY_HASH)
  })

  test('of the policy of a decision', async () => {
    const app = await createTestApp()
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme, {
      name: 'Süßes',
      currency: 'EUR',
      timezone: 'Europe/Berlin',
      validUntil: '2099-01-01T00:00:00.000Z',
      budgetPeriod: 'monthly',
      rules: RULES,
    })
    const { evaluationDetails } = await evaluate(acme, agentId)
    await app.stop()
    expect(evaluationDetails.policyHash).toBe(POLICY_HASH)
  })
})

function keyOf(body: unknown): string {
  const request = { headers: { 'idempotency-key': 'key-1' }, body } as unknown as FastifyRequest
  const { fingerprint } = requireDelegationKey(request, 'an-agent')
  return fingerprint.toString('hex')
}

const SETTINGS_HASHES = [
  'pOkmaeL2g5chygK0F7Ne1FiyPTFGIML5CCs21QIUdDQ',
  'Qg35CGUQYBpzpQeEX3hXyflKLvlKAOXl2aPka6WOXbA',
  'N2x6taxn9wJlRF0WizCf06_rhrt4qX93BgDSCKOsCpo',
  'JroB9a_RQcQId64PGykfRXF-UuzwXhRfgbOkoLJiSLc',
  'btWu0Ql5hW6XLqofGd-XPOMtcgbhdZT-3I3q7j56QUs',
  'pdA7tLrr1lM9gS1_4ZN_HgP_3hgHvJYyZbpL28VArQI',
]
const LINE_HASH = '61e423b7144649bb025f74061d10e435261d0a57305c1d4853588c46570f2fff'
const SESSION_HASH = 'sha-256:9886305bda6d9df225d3e7685d708d4f2d2d850bfc2667b0b10bbd0f47965331'
const REQUEST_HASH = 'd72fba9a3b66e9e9cb1e6f0f60c383a90e29b9acb9cadcbc429f647b21bead42'
const NO_BODY_HASH = 'd38c00d6da1c208f903dcd9a7f2546a704543e7d6b781d99f5dd57044b8d2c9d'
const POLICY_HASH = 'db92860b1878a61ea791c096a26b1d54abff2ab390c27f800282a004af38dcce'
