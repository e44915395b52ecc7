import { describe, expect, test } from 'vitest'
import { DECISION_CODES } from '../../../../src/core/decision/codes.ts'
import { toldOf } from '../../../../src/paths/card/issuers/decline-map.ts'
import type { CardRequest, CardVerdict } from '../../../../src/paths/card/issuers/issuer.ts'
import { lithic } from '../../../../src/paths/card/issuers/lithic.ts'
import { stripe } from '../../../../src/paths/card/issuers/stripe.ts'
import { sample } from '../../../support/card/samples.ts'

const APPROVED: CardVerdict = {
  isApproved: true,
  code: 'approved',
  approvedAmount: 49_000_000n,
  currency: 'USD',
  isPartial: false,
  transactionId: 'txn_1',
}
const IN_PART: CardVerdict = { ...APPROVED, approvedAmount: 25_000_000n, isPartial: true }
const DECLINED: CardVerdict = {
  ...APPROVED,
  isApproved: false,
  code: 'budget_exceeded',
  approvedAmount: 0n,
}
const MALFORMED: CardVerdict = {
  ...DECLINED,
  code: 'malformed_request',
  currency: null,
  transactionId: null,
}

const noHeader = () => undefined

function requestOf(issuer: typeof stripe, file: string): CardRequest {
  const request = issuer.readRequest(sample(file), noHeader)
  if ('unread' in request) throw new Error(request.why)
  return request
}

describe('Stripe is answered', () => {
  const request = requestOf(stripe, 'stripe/01_request_initial')

  test.each<[string, CardVerdict, string]>([
    [
      'an approval',
      APPROVED,
      '{"approved":true,"metadata":{"purser_decision":"approved","purser_reason":"approved","purser_authorization":"txn_1"}}',
    ],
    [
      'an approval of a part',
      IN_PART,
      '{"approved":true,"amount":2500,"metadata":{"purser_decision":"approved","purser_reason":"approved","purser_authorization":"txn_1"}}',
    ],
    [
      'a decline',
      DECLINED,
      '{"approved":false,"metadata":{"purser_decision":"rejected","purser_reason":"budget_exceeded","purser_authorization":"txn_1"}}',
    ],
    [
      'a decline of what cannot be read',
      MALFORMED,
      '{"approved":false,"metadata":{"purser_decision":"rejected","purser_reason":"malformed_request"}}',
    ],
  ])('%s, byte for byte', (_what, verdict, body) => {
    const headers = { 'content-type': 'application/json', 'stripe-version': '2026-10-28.endive' }
    expect(stripe.answer(verdict, request)).toEqual({ status: 200, headers, body })
  })

  test('nothing about what is not for us', () => {
    const other = stripe.readRequest(sample('stripe/02_created_approved'), noHeader)
    expect(stripe.answer(MALFORMED, other as CardRequest)).toMatchObject({
      status: 200,
      body: '{}',
    })
  })
})

describe('Lithic is answered', () => {
  const request = requestOf(lithic, 'lithic/01_asa_authorization')
  const token = 'fabd829d-7f7b-4432-a8f2-07ea4889aaac'

  test.each<[string, CardVerdict, string]>([
    ['an approval', APPROVED, `{"result":"APPROVED","token":"${token}"}`],
    [
      'an approval of a part',
      IN_PART,
      `{"result":"APPROVED","token":"${token}","approved_amount":2500}`,
    ],
    ['a decline', DECLINED, `{"result":"INSUFFICIENT_FUNDS","token":"${token}"}`],
  ])('%s, byte for byte', (_what, verdict, body) => {
    const headers = { 'content-type': 'application/json' }
    expect(lithic.answer(verdict, request)).toEqual({ status: 200, headers, body })
  })

  test('with the token of what cannot be read otherwise', () => {
    const unread = { unread: 'malformed', why: 'The field status cannot be read.' } as const
    expect(lithic.answer(MALFORMED, { ...unread, echo: token }).body).toBe(
      `{"result":"UNAUTHORIZED_MERCHANT","token":"${token}"}`,
    )
    expect(lithic.answer(MALFORMED, unread).body).toBe('{"result":"UNAUTHORIZED_MERCHANT"}')
  })
})

describe('a network is told', () => {
  const declined = (code: string) => toldOf({ isApproved: false, isPartial: false, code })
  const unknown = declined('nobody has said what this means')
  const approvals = ['approved', 'recorded']

  test.each(DECISION_CODES.map(({ code }) => code).filter((code) => !approvals.includes(code)))(
    'something of its own about %s',
    (code) => {
      expect(declined(code)).not.toBe(unknown)
    },
  )

  test.each([
    ['budget_exceeded', 'INSUFFICIENT_FUNDS', '51', true],
    ['amount_above_max', 'INSUFFICIENT_FUNDS', '61', true],
    ['limit_count_exceeded', 'VELOCITY_EXCEEDED', '65', true],
    ['approval_required', 'VELOCITY_EXCEEDED', '61', true],
    ['vendor_not_allowed', 'UNAUTHORIZED_MERCHANT', '57', false],
    ['category_blocked', 'UNAUTHORIZED_MERCHANT', '57', false],
    ['currency_mismatch', 'UNAUTHORIZED_MERCHANT', '57', false],
    ['outside_schedule', 'VELOCITY_EXCEEDED', '61', true],
    ['card_paused', 'CARD_PAUSED', '62', true],
    ['card_closed', 'UNAUTHORIZED_MERCHANT', '14', false],
    ['card_unknown', 'UNAUTHORIZED_MERCHANT', '14', false],
    ['agent_paused', 'CARD_PAUSED', '62', true],
    ['no_active_mandate', 'CARD_PAUSED', '62', true],
    ['deadline_passed', 'VELOCITY_EXCEEDED', '91', true],
    ['internal_error', 'VELOCITY_EXCEEDED', '91', true],
    ['connection_disabled', 'CARD_PAUSED', '62', true],
    ['malformed_request', 'UNAUTHORIZED_MERCHANT', '05', false],
  ])('%s as %s, %s, retryable %s', (code, result, networkCode, retryable) => {
    expect(declined(code)).toEqual({ lithic: result, networkCode, retryable })
  })

  test('that something is approved, or a part of it', () => {
    expect([APPROVED, IN_PART].map((verdict) => toldOf(verdict).networkCode)).toEqual(['00', '10'])
  })
})
