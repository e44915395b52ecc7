import { expect, test } from 'vitest'
import { referredFirst } from '../../../src/storage/distributed/references.ts'

test('a table comes after all tables that it refers to', () => {
  const references = [
    { from: 'versions', to: 'mandates' },
    { from: 'mandates', to: 'agents' },
    { from: 'agents', to: 'organizations' },
  ]
  const names = ['versions', 'mandates', 'agents', 'organizations', 'vendors']
  expect(referredFirst(names, references)).toEqual([
    'organizations',
    'vendors',
    'agents',
    'mandates',
    'versions',
  ])
  // The others are distributed already.
  expect(referredFirst(['versions'], references)).toEqual(['versions'])
})

test('tables that refer to each other are refused', () => {
  const references = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ]
  expect(() => referredFirst(['a', 'b'], references)).toThrow(/refer to each other: a, b/)
})
