import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { findVersion } from '../../../../src/paths/acp/versions/index.ts'
import { exampleOf, PUBLISHED } from '../../../support/acp/published.ts'

const version = findVersion('2026-04-17')
assert(version)
const { readOutcome } = version

const example = (name: string) => exampleOf('2026-04-17', name)
const open = () => example('get_checkout_session_response')
const completed = () => example('complete_checkout_session_response')
const error = (code: string) => ({ type: 'invalid_request', code, message: 'No.' })
const message = (code: string) => ({ type: 'error', code, content_type: 'plain', content: 'No.' })

describe.each(PUBLISHED)('an answer of %s', (name) => {
  test('completes with its order', () => {
    const outcome = findVersion(name)?.readOutcome(
      200,
      exampleOf(name, 'complete_checkout_session_response'),
    )
    expect(outcome).toMatchObject({
      kind: 'completed',
      session: { order: { id: expect.any(String) } },
    })
  })

  test('asks for the payer, in a session or in an error', () => {
    expect(
      findVersion(name)?.readOutcome(
        200,
        exampleOf(name, 'checkout_session_authentication_required'),
      ),
    ).toMatchObject({
      kind: 'authentication',
      session: { authentication: expect.any(Object) },
    })
    expect(findVersion(name)?.readOutcome(400, exampleOf(name, 'error_400_requires_3ds'))).toEqual({
      kind: 'authentication',
      session: null,
    })
  })

  test('that is canceled proves that nothing was paid', () => {
    expect(
      findVersion(name)?.readOutcome(200, exampleOf(name, 'cancel_checkout_session_response')),
    ).toEqual({
      kind: 'declined',
      code: 'session_canceled',
      retryable: false,
      isShown: true,
    })
  })
})

test('a decline inside a 200 is a decline', () => {
  expect(readOutcome(200, example('checkout_session_with_payment_declined'))).toEqual({
    kind: 'declined',
    code: 'payment_declined',
    retryable: false,
    isShown: true,
  })
  expect(readOutcome(200, example('checkout_session_with_out_of_stock'))).toMatchObject({
    kind: 'declined',
    code: 'out_of_stock',
  })
})

test('a decline of the payment is named, whatever other errors the session shows', () => {
  const messages = [message('out_of_stock'), message('payment_declined')]
  expect(readOutcome(200, { ...open(), messages })).toMatchObject({
    kind: 'declined',
    code: 'payment_declined',
  })
})

test('an open session with the error requires_3ds asks for the payer', () => {
  const messages = [message('payment_declined'), message('requires_3ds')]
  expect(readOutcome(200, { ...open(), messages })).toMatchObject({ kind: 'authentication' })
})

test('a completed session without an order is paid, and one with an order and an error too', () => {
  for (const session of [
    { ...completed(), order: undefined, messages: [] },
    { ...completed(), messages: [message('payment_declined')] },
  ]) {
    expect(readOutcome(200, session)).toMatchObject({ kind: 'completed' })
  }
})

test('an expired session is over, also without totals', () => {
  expect(readOutcome(200, { ...open(), status: 'expired', totals: [] })).toMatchObject({
    kind: 'declined',
    code: 'session_expired',
  })
})

test.each(['complete_in_progress', 'in_progress', 'pending_approval', 'a_new_status'])(
  '%s is under way',
  (status) => {
    expect(readOutcome(200, { ...open(), status })).toEqual({ kind: 'in_progress' })
  },
)

test('a repeat that comes too early waits as long as the merchant says, in bounds', () => {
  const inFlight = example('error_409_idempotency_in_flight')
  const wait = (retryAfter?: string) => readOutcome(409, inFlight, retryAfter)
  expect(wait('5')).toEqual({ kind: 'in_flight', retryAfterMs: 5_000 })
  expect(wait('0')).toEqual({ kind: 'in_flight', retryAfterMs: 1_000 })
  expect(wait('99999')).toEqual({ kind: 'in_flight', retryAfterMs: 60_000 })
  expect(wait('tomorrow')).toEqual({ kind: 'in_flight', retryAfterMs: 1_000 })
  expect(wait()).toEqual({ kind: 'in_flight', retryAfterMs: 1_000 })
})

const REFUSED = { retryable: false, isShown: false }

test.each([
  [400, 'invalid_item_id'],
  [401, 'unauthorized'],
  [422, 'unsupported_handler'],
])('%d %s is refused before anything was paid', (status, code) => {
  expect(readOutcome(status, error(code))).toEqual({ kind: 'declined', code, ...REFUSED })
})

test('a refusal without a code gets one of ours', () => {
  expect(readOutcome(403, '<html>')).toEqual({
    kind: 'declined',
    code: 'merchant_403',
    ...REFUSED,
  })
  expect(readOutcome(400, error('Payment failed!'))).toMatchObject({ code: 'merchant_400' })
  expect(readOutcome(429, error('rate_limited'))).toMatchObject({
    kind: 'declined',
    retryable: true,
  })
})

describe('nothing is known', () => {
  test.each<[string, number, unknown]>([
    ['after an error of the merchant', 500, error('processing_error')],
    ['when it is not available', 503, {}],
    ['after a redirect', 302, ''],
    ['after a choice of addresses, whatever session it shows', 300, completed()],
    ['when the session is not found', 404, error('not_found')],
    ['when it does not take the call', 405, error('method_not_allowed')],
    ['after a timeout of its own', 408, {}],
    ['after another conflict', 409, error('conflict')],
    ['when the key had another body before', 422, example('error_422_idempotency_conflict')],
    ['when it was completed before', 400, error('session_already_completed')],
    ['after garbage', 200, 'OK'],
    ['after an empty object', 200, {}],
    [
      'after a completed session with two totals',
      200,
      { ...completed(), totals: [...completed().totals, ...completed().totals] },
    ],
    [
      'after a completed session whose payment was declined',
      200,
      { ...completed(), order: undefined, messages: [message('payment_declined')] },
    ],
    ['while the session looks as before', 200, open()],
    [
      'while the session shows notes and no error',
      200,
      { ...open(), messages: [{ ...message('payment_declined'), type: 'info' }] },
    ],
    [
      'when an open session with a decline has no clear total',
      200,
      { ...open(), totals: [], messages: [message('payment_declined')] },
    ],
    [
      'when an open session has an order',
      200,
      { ...open(), order: completed().order, messages: [message('payment_declined')] },
    ],
    [
      'when a canceled session has an order',
      200,
      { ...open(), order: completed().order, status: 'canceled' },
    ],
  ])('%s', (_when, status, body) => {
    expect(readOutcome(status, body)).toEqual({ kind: 'unknown', why: expect.any(String) })
  })
})
