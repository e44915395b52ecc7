import { expect, test } from 'vitest'
import { type PastAnswer, withAnswer } from '../../src/screens/simulator/history.ts'
import { fieldsOf, inputOf, missingWords, searchOf } from '../../src/screens/simulator/spend.ts'
import { fromLocalText, toLocalText } from '../../src/words/zoned-time.ts'

const AGENT = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11'
const SEARCH = { agent: AGENT, amount: '1,480.50', vendor: 'sas.se', category: 'travel' }

test('makes the request of an address', () => {
  expect(inputOf(fieldsOf(SEARCH))).toEqual({
    ...{ agentId: AGENT, amount: 1480.5, vendor: 'sas.se', category: 'travel' },
  })
  expect(inputOf(fieldsOf({ ...SEARCH, path: 'card', at: '2026-11-17T09:40:00Z' }))).toMatchObject({
    ...{ path: 'card', at: '2026-11-17T09:40:00.000Z' },
  })
})

test('makes no request of a spend that is not complete', () => {
  expect(inputOf(fieldsOf({ ...SEARCH, amount: '12,50' }))).toBeUndefined()
  expect(inputOf(fieldsOf({ ...SEARCH, amount: '0.00' }))).toBeUndefined()
  expect(inputOf(fieldsOf({ agent: AGENT }))).toBeUndefined()
  expect(missingWords(fieldsOf({ agent: AGENT }))).toBe('Enter an amount, a vendor and a category.')
})

test('leaves defaults out of the address', () => {
  expect(searchOf(fieldsOf({ ...SEARCH, path: 'evaluate', at: '' }))).toEqual(SEARCH)
  expect(searchOf(fieldsOf({ path: 'cheque' }))).toEqual({})
})

test('lists the same spend once, with its latest answer', () => {
  const answer = (vendor: string, at: string) => ({ search: { vendor }, at }) as PastAnswer
  const first = withAnswer([], answer('a.example', '1'))
  const second = withAnswer(first, answer('b.example', '2'))
  expect(withAnswer(second, answer('a.example', '3')).map(({ at }) => at)).toEqual(['3', '2'])
})

test('reads a local time in the zone of the organization', () => {
  const zone = 'Europe/Stockholm'
  const read = (text: string) => fromLocalText(text, zone)?.toISOString()
  expect(read('2026-11-17T10:40')).toBe('2026-11-17T09:40:00.000Z')
  expect(read('2026-07-01T00:00')).toBe('2026-06-30T22:00:00.000Z')
  // The hour that happens twice, and the one that does not happen.
  expect(read('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z')
  expect(read('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z')
  expect(read('')).toBeUndefined()
  expect(toLocalText(new Date('2026-11-17T09:40:00Z'), zone)).toBe('2026-11-17T10:40')
})
