import type { ApiKey, Approval, Mandate, Usage, WebhookDelivery } from '@purser/sdk'
import { expect, test } from 'vitest'
import { attentionOf } from '../../src/screens/overview/attention.ts'

const NOW = new Date('2026-11-17T10:00:00Z')
const BASE = { timezone: 'UTC', now: NOW }

const mandate = (agentName: string, percentUsed: number): Mandate =>
  ({
    ...{ id: `mnd_${agentName}`, agentName, name: 'M', currency: 'USD', timezone: 'UTC' },
    ...{ percentUsed, exhausted: percentUsed >= 100, remainingBudget: 100 - percentUsed },
    periodEnd: '2026-12-01T00:00:00Z',
  }) as Mandate
const delivery = (lastAttemptAt: string, fields: Partial<WebhookDelivery> = {}) =>
  ({
    attempts: 3,
    lastStatusCode: 503,
    lastAttemptAt,
    nextAttemptAt: null,
    ...fields,
  }) as WebhookDelivery

const said = (facts: object) =>
  attentionOf({ ...BASE, ...facts }).map(({ title, text }) => `${title} ${text}`)

test('says nothing when nothing needs a person', () => {
  expect(said({})).toEqual([])
  expect(said({ mandates: [mandate('A', 79)], approvals: { total: 0, first: undefined } })).toEqual(
    [],
  )
})

test('puts the most urgent first', () => {
  const first = { amount: 1480, currency: 'USD', vendor: 'snowflake.com' }
  const approval = { ...first, expiresAt: '2026-11-17T10:12:00Z' } as Approval
  const facts = {
    approvals: { total: 3, first: approval },
    mandates: [mandate('Ops runner', 100), mandate('Travel booker', 86.2)],
    overBudget: 6,
  }
  expect(said(facts)).toEqual([
    '3 spends need approval. The first expires in 12 min: 1,480.00 USD at snowflake.com.',
    'Ops runner has exhausted its budget. 6 spends over budget were rejected. It resets on 1 December.',
    expect.stringMatching(/^Travel booker has used 86 % of its budget\./),
  ])
})

test('names several budgets in one line', () => {
  const empty = ['A', 'B', 'C', 'D', 'E'].map((name) => mandate(name, 100))
  expect(said({ mandates: empty })).toEqual([
    '5 budgets are exhausted. Every spend of A, B, C and 2 more is rejected.',
  ])
})

test('tells a webhook that fails from one that works again', () => {
  const failed = delivery('2026-11-17T09:50:00Z')
  const retrying = delivery('2026-11-17T09:58:00Z', { nextAttemptAt: '2026-11-17T10:02:00Z' })
  const facts = { failed: 14, lastFailed: failed, lastSucceeded: undefined, retrying }
  expect(said({ webhook: facts })).toEqual([
    'Your webhook is failing. 14 deliveries failed within 24 hours, the last one with 503. Next attempt in 2 min.',
  ])
  const recovered = { ...facts, lastSucceeded: delivery('2026-11-17T09:59:00Z') }
  expect(said({ webhook: recovered })[0]).toMatch(/^14 deliveries failed .* works again/)
  const none = { failed: 0, lastFailed: undefined, lastSucceeded: undefined, retrying: undefined }
  expect(said({ webhook: none })).toEqual([])
  expect(said({ webhook: { ...none, paused: 1 } })).toEqual([
    '1 webhook endpoint is paused. Every attempt failed for five days. The events wait, and are not lost.',
  ])
})

test('names keys that expire within 7 days, and a plan above 80 %', () => {
  const key = (name: string, expiresAt: string | null) => ({ name, expiresAt }) as ApiKey
  const keys = [
    key('soon', '2026-11-20T00:00:00Z'),
    key('late', '2026-12-20T00:00:00Z'),
    key('never', null),
    key('over', '2026-11-16T00:00:00Z'),
  ]
  const usage = {
    ...{ evaluations: { used: 850, limit: 1000 }, agents: { used: 1, limit: 5 } },
    resetsAt: '2026-12-01T00:00:00Z',
  } as Usage
  expect(said({ keys, usage })).toEqual([
    'The API key soon expires on 20 November. Programs that use it stop then.',
    '85 % of this month’s evaluations are used. The count resets on 1 December.',
  ])
})
