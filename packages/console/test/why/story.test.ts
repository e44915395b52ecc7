import type { AuditEntry, Transaction, WebhookDelivery } from '@purser/sdk'
import { expect, test } from 'vitest'
import { formatDuration, storyOf } from '../../src/parts/why/story.ts'

const TRANSACTION = {
  ...{ transactionId: 'txn_1', decision: 'approved', status: 'held', code: 'approved' },
  ...{ createdAt: '2026-11-17T10:40:22.121Z', currency: 'USD', expiresAt: '2026-11-20T10:40:00Z' },
  requestedBy: { kind: 'key', id: 'key_1', name: 'travel-prod' },
  evaluationDetails: { evaluatedAt: '2026-11-17T10:40:22.121Z', durationMs: 2.4 },
} as unknown as Transaction

function entry(index: number, kind: string, at: string, payload: object = {}): AuditEntry {
  return { index, kind, at, payload } as AuditEntry
}

function storyTexts(rest: Partial<Parameters<typeof storyOf>[0]>): readonly string[] {
  const story = storyOf({
    ...{ transaction: TRANSACTION, entries: [], isLogKnown: true },
    ...{ approval: undefined, deliveries: [], ...rest },
  })
  return story.map(({ text, link, isPlanned }) =>
    [isPlanned ? '…' : '', text, link ? ` [${link.text}]` : ''].join(''),
  )
}

test('tells the story of a hold from the request to its end', () => {
  const voidedAt = '2026-11-17T11:00:00.000Z'
  const entries = [
    entry(27, 'change.transaction.voided', voidedAt, { actor: { name: 'Ada' } }),
    entry(26, 'transaction.voided', voidedAt, { outcome: { settledAmount: 0 } }),
    entry(25, 'transaction.approved', '2026-11-17T10:40:22.121Z'),
  ]
  const transaction = { ...TRANSACTION, status: 'voided' } as Transaction
  expect(storyTexts({ transaction, entries })).toEqual([
    'Requested by key [travel-prod]',
    'Approved in 2.4 ms',
    'In the audit log as leaf 25. [Check the proof]',
    'Voided by Ada. [Leaf 26]',
  ])
})

test('plans come last: the audit log, the next delivery attempt and the end of the hold', () => {
  const delivery = {
    ...{ id: 'dlv_1', event: 'transaction.approved', status: 'pending', attempts: 3 },
    ...{ maxAttempts: 5, lastStatusCode: 503, lastAttemptAt: '2026-11-17T10:40:58.204Z' },
    nextAttemptAt: '2026-11-17T10:45:00Z',
  } as WebhookDelivery
  expect(storyTexts({ deliveries: [delivery] })).toEqual([
    'Requested by key [travel-prod]',
    'Approved in 2.4 ms',
    'Your webhook did not accept “approved” yet: [503, attempt 3 of 5]',
    '…Not in the audit log yet',
    '…Delivery attempt 4',
    '…The hold expires',
  ])
})

test('writes durations as people read them', () => {
  expect([0.04, 2.44, 38.6, 1234].map(formatDuration)).toEqual(['0 ms', '2.4 ms', '39 ms', '1.2 s'])
})
