import type { WebhookDelivery, WebhookDeliveryDetail } from '@purser/sdk'
import { describe, expect, it } from 'vitest'
import {
  answerOf,
  deliverySentence,
  notAnsweringSince,
} from '../../src/screens/settings/webhook/delivery-words.ts'
import { ALL_KINDS, kindsSentence } from '../../src/screens/settings/webhook/event-groups.ts'
import { fromOf } from '../../src/screens/settings/webhook/ranges.ts'

const NOW = Date.parse('2026-11-17T10:41:00.000Z')

function delivery(fields: Partial<WebhookDeliveryDetail>): WebhookDeliveryDetail {
  return {
    ...{
      id: 'dlv_1',
      endpointId: 'whe_1',
      eventId: 'evt_1',
      event: 'transaction.approved',
      transactionId: null,
    },
    ...{ test: false, status: 'pending', attempts: 0, maxAttempts: 5, lastAttemptAt: null },
    ...{ lastStatusCode: null, lastError: null, nextAttemptAt: null },
    ...{ createdAt: '2026-11-17T10:40:00.000Z', attemptLog: [] },
    ...fields,
  }
}

describe('the sentence of a delivery', () => {
  it('says when Purser tries again, and how often', () => {
    const { strong, rest } = deliverySentence(
      delivery({ attempts: 3, lastStatusCode: 503, nextAttemptAt: '2026-11-17T10:44:00.000Z' }),
      NOW,
    )
    expect(strong).toBe('Your server has not accepted it in three attempts.')
    expect(rest).toContain('Purser tries again in 3 min, then up to 1 more time.')
  })

  it('says that a failed delivery can be sent again', () => {
    const { strong, rest } = deliverySentence(delivery({ status: 'failed', attempts: 5 }), NOW)
    expect(strong).toBe('Your server did not accept it in five attempts.')
    expect(rest).toContain('You can send it again.')
  })

  it('names the answer in a column', () => {
    expect(answerOf(delivery({ attempts: 1, lastStatusCode: 204 }))).toBe('204')
    expect(answerOf(delivery({ attempts: 1, lastError: 'No answer within 5 s.' }))).toBe('timeout')
    expect(answerOf(delivery({}))).toBe('')
  })
})

describe('a server that does not answer', () => {
  const failing: WebhookDelivery = delivery({
    ...{ attempts: 2, lastError: 'Status 503.', createdAt: '2026-11-17T10:12:00.000Z' },
    lastAttemptAt: '2026-11-17T10:30:00.000Z',
  })
  it('is known since the first failure', () => {
    expect(notAnsweringSince([failing])).toBe('2026-11-17T10:12:00.000Z')
  })

  it('answers again after a success', () => {
    const good = delivery({ status: 'succeeded', lastAttemptAt: '2026-11-17T10:31:00.000Z' })
    expect(notAnsweringSince([good, failing])).toBeNull()
  })
})

describe('the filters of the log', () => {
  it('reads a range of the address, and keeps it for five minutes', () => {
    expect(fromOf('24h', NOW)).toBe('2026-11-16T10:40:00.000Z')
    expect(fromOf('24h', NOW + 60_000)).toBe('2026-11-16T10:40:00.000Z')
    expect(fromOf('2026-11-01', NOW)).toBe('2026-11-01')
    expect(fromOf('soon', NOW)).toBeUndefined()
  })

  it('sums up the chosen kinds', () => {
    expect(ALL_KINDS).toHaveLength(18)
    expect(kindsSentence(['transaction.approved', 'approval.decided'])).toBe(
      '2 of 18 kinds: decisions, approvals.',
    )
  })
})
