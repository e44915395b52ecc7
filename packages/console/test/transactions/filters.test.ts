import { expect, test } from 'vitest'
import {
  searchOfTab,
  tabOf,
  toggleValue,
  toQuery,
} from '../../src/screens/transactions/filters/filters.ts'
import { findByForm, isSearchText } from '../../src/screens/transactions/filters/find.ts'
import {
  lastDate,
  periodWords,
  resolveFrom,
  toOfLastDate,
} from '../../src/screens/transactions/filters/period.ts'
import { exportSize } from '../../src/screens/transactions/sentences.ts'
import { parseViews, shownView } from '../../src/screens/transactions/views.ts'

const NOW = new Date('2026-11-17T23:30:00Z')

test('the address becomes the filters of the API', () => {
  const search = { agent: 'a,b', min: '10', max: 'x', flagged: 'true', from: '30d', view: 'mine' }
  expect(toQuery({ ...search, live: 'off', q: '' }, NOW, 'Europe/Stockholm')).toEqual({
    ...{ agentId: 'a,b', minAmount: 10, flagged: true, from: '2026-10-20' },
  })
})

test('the end of a period is midnight in the zone of the organization', () => {
  const to = (zone: string) => toQuery({ to: '2026-11-18' }, NOW, zone)['to']
  expect(to('America/Los_Angeles')).toBe('2026-11-18T08:00:00.000Z')
  expect(to('Asia/Tokyo')).toBe('2026-11-17T15:00:00.000Z')
  expect(toQuery({ to: '2026-11-18T01:02:03Z' }, NOW, 'UTC')['to']).toBe('2026-11-18T01:02:03Z')
})

test('a value is added to a filter, and taken away again', () => {
  expect(toggleValue(undefined, 'card')).toBe('card')
  expect(toggleValue('card', 'x402')).toBe('card,x402')
  expect(toggleValue('card,x402', 'card')).toBe('x402')
})

test('a tab replaces the filter of the other tabs and keeps the rest', () => {
  const search = searchOfTab({ decision: 'rejected', agent: 'a', view: 'mine' }, 'held')
  expect(search).toEqual({ agent: 'a', status: 'held' })
  expect(tabOf(search)).toBe('held')
  expect(tabOf({ flagged: 'true' })).toBe('flagged')
})

test('the find field sorts a text out by its form', () => {
  const id = 'txn_01a1ebc7ac0e749da2ae935ad2e67bc4'
  expect(findByForm(` ${id} `)).toEqual({ kind: 'place', href: `/transactions/${id}` })
  expect(findByForm('01a1ebc7-344f-769c-85c2-455ef4160805')).toMatchObject({ kind: 'place' })
  expect(findByForm('SAS.se')).toEqual({ kind: 'filter', search: { vendor: 'sas.se' } })
  expect(findByForm('https://sas.se/flights')).toMatchObject({ search: { vendor: 'sas.se' } })
  expect(findByForm('trip-2291')).toEqual({ kind: 'filter', search: { q: 'trip-2291' } })
  expect(findByForm('  ')).toEqual({ kind: 'nothing' })
  expect(isSearchText('txn_01a1')).toBe(false)
})

test.each([
  [{ from: '1d' }, 'Today'],
  [{ from: '30d' }, '30 days'],
  [{ from: '45d' }, '45 days'],
  [{ from: '2026-11-01' }, 'since 1 November'],
  [{ from: '2025-11-01' }, 'since 1 November 2025'],
  [{ from: '2026-11-01', to: '2026-11-18' }, '1 Nov to 17 Nov'],
  [{ from: '2026-11-17', to: '2026-11-18' }, '17 Nov'],
  [{ to: '2026-11-18' }, 'until 17 November'],
  [{}, 'All time'],
])('says the period %o as %s', (period, words) => {
  expect(periodWords(period, 'Europe/Stockholm', NOW)).toBe(words)
})

test('today begins in the time zone of the organization', () => {
  expect(resolveFrom('1d', NOW, 'Europe/Stockholm')).toBe('2026-11-18')
  expect(resolveFrom('1d', NOW, 'UTC')).toBe('2026-11-17')
})

test('the last day of the form is the day before the parameter', () => {
  expect(toOfLastDate('2026-11-30')).toBe('2026-12-01')
  expect(lastDate('2026-12-01')).toBe('2026-11-30')
})

test('says the size of an export before it starts', () => {
  expect(exportSize(1338, true)).toBe('1,338 rows, about 401 kB')
  expect(exportSize(1, true)).toBe('1 row, about 1 kB')
  expect(exportSize(10_000, false)).toBe('More than 10,000 rows, at least 3.0 MB')
})

test('a stored text that is no list of views is ignored', () => {
  expect(parseViews('{"a":')).toEqual([])
  expect(parseViews('[{"name":""},{"name":"Big","search":{"min":"100","evil":"1"}}]')).toEqual([
    { name: 'Big', search: { min: '100' } },
  ])
})

test('a view is shown only while its filters are those that were saved', () => {
  const views = [{ name: 'Big', search: { min: '100' } }]
  expect(shownView(views, { view: 'Big', min: '100', live: 'off' })?.name).toBe('Big')
  expect(shownView(views, { view: 'Big', min: '200' })).toBeUndefined()
})
