import { describe, expect, test } from 'vitest'
import { type Fields, onlyDifferences, receiverOf } from '../../src/core/change.ts'
import { NOON } from './desk.ts'

const differences = (before: Fields | null, after: Fields | null) =>
  onlyDifferences({
    operation: 'organization.updated',
    subjectId: 'org_1',
    at: NOON,
    before,
    after,
  })

describe('the record of a change', () => {
  test('has only the fields that differ, and does not exist if none does', () => {
    expect(differences({ name: 'a', tags: [1] }, { name: 'b', tags: [1] })).toEqual({
      before: { name: 'a' },
      after: { name: 'b' },
    })
    expect(differences({ name: 'a' }, { name: 'a' })).toBeUndefined()
  })

  test('has no field that changes by itself', () => {
    expect(differences({ updatedAt: 1 }, { updatedAt: 2 })).toBeUndefined()
    expect(differences(null, { id: 'x', name: 'a', createdAt: 1 })).toEqual({
      before: null,
      after: { name: 'a' },
    })
  })

  test('has no value on the side where a field was missing', () => {
    expect(differences({ name: 'a' }, { name: 'a', note: 'x' })).toStrictEqual({
      before: {},
      after: { note: 'x' },
    })
  })

  test('names the receivers of URLs without the secrets in them', () => {
    const url = 'https://hooks.example.com/T0/secret'
    for (const name of ['webhookUrl', 'signerUrl', 'messageChatUrl']) {
      expect(differences({ [name]: url }, { [name]: null })).toEqual({
        before: { [name]: 'https://hooks.example.com/…' },
        after: { [name]: null },
      })
    }
    expect(differences(null, { webhookEndpoints: [{ id: 'we_1', url }] })).toEqual({
      before: null,
      after: { webhookEndpoints: [{ id: 'we_1', url: 'https://hooks.example.com/…' }] },
    })
    const others = { website: url, tags: ['a'] }
    expect(differences(null, others)?.after).toEqual(others)
  })
})

test.each([
  ['https://example.com', 'https://example.com/'],
  ['https://example.com/', 'https://example.com/'],
  ['https://example.com/?token=x', 'https://example.com/…'],
  ['https://example.com:8443/hook', 'https://example.com:8443/…'],
  ['not a URL', '…'],
])('the receiver of %s is shown as %s', (address, shown) => {
  expect(receiverOf(address)).toBe(shown)
})
