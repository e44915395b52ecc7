import type { Transaction } from '@purser/sdk'
import { expect, test } from 'vitest'
import { storyOf } from '../../src/parts/why/story.ts'
import { withWholeDetails } from '../../src/parts/why/whole-details.ts'
import { findingFacts, findingName } from '../../src/words/findings.ts'

const ROW = {
  ...{ transactionId: 'txn_1', decision: 'rejected', status: 'rejected', code: 'amount_above_max' },
  ...{ createdAt: '2026-11-17T10:40:22.121Z', currency: 'USD', path: 'evaluate' },
  ...{ requestedBy: null, expiresAt: null },
} as unknown as Transaction

function storedWith(evaluationDetails: object): Transaction {
  return { ...ROW, evaluationDetails } as unknown as Transaction
}

test('takes the code and the time of a decision from its row where the details lack them', () => {
  const { evaluationDetails: details } = withWholeDetails(storedWith({ message: 'Too much.' }))
  expect(details).toMatchObject({ code: ROW.code, evaluatedAt: ROW.createdAt, rules: [] })
  expect(details).toMatchObject({ message: 'Too much.', mandateVersion: null })
})

test('has words for a finding that names only its rule', () => {
  const stored = storedWith({ rules: [{ id: 'cap', type: 'amount', outcome: 'fail' }] })
  const [finding] = withWholeDetails(stored).evaluationDetails?.rules ?? []
  expect(finding && findingName(finding)).toBe('Per-spend limit')
  expect(finding && findingFacts(finding, { currency: 'USD' })).toBe('')
  expect(finding?.message).toBe('')
})

test('tells the story of a row without a duration', () => {
  const story = storyOf({
    transaction: withWholeDetails(storedWith({})),
    ...{ entries: [], isLogKnown: false, approval: undefined, deliveries: [] },
  })
  expect(story.map(({ text }) => text)).toEqual(['Rejected'])
})

test('keeps a row without details, because retention removed them', () => {
  const removed = { ...ROW, evaluationDetails: null } as unknown as Transaction
  expect(withWholeDetails(removed)).toBe(removed)
})
