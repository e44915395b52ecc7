import { expect, test } from 'vitest'
import { type Balances, balancesOf } from '../../../../src/paths/card/ledger/balances.ts'
import { targetsOf } from '../../../../src/paths/card/ledger/booking.ts'
import { units } from '../../../core/desk.ts'
import { asked, seen, taken } from './scenarios.ts'

function targets(balances: Balances, recordedId: string | null = null) {
  return Object.fromEntries(targetsOf(balances, recordedId, []))
}

test('only the recorded transaction names an amount, and only while it has one', () => {
  const unasked = targets(balancesOf([taken(20, 33)]), 'recorded')
  expect(unasked['recorded']).toMatchObject({ amount: units(33), captured: units(33) })
  const asking = targets(balancesOf([asked(0, 50), taken(20, 33)]), 'recorded')
  expect(asking['request-0']).not.toHaveProperty('amount')
  expect(asking['recorded']).not.toHaveProperty('amount')
})

test('a recorded transaction comes first once everything was asked for, so nothing is left in it', () => {
  const asking = targets(balancesOf([asked(0, 50), taken(20, 60)]), 'recorded')
  expect(asking['recorded']).toMatchObject({ captured: 0n, held: 0n })
  expect(asking['request-0']).toMatchObject({ captured: units(60), flags: ['over_capture'] })
})

test('what was recorded, or approved unjudged, is flagged as ungoverned', () => {
  const unjudged = { ...asked(0, 50), isUnjudged: true as const }
  expect(targets(balancesOf([unjudged]))['request-0']?.flags).toEqual(['ungoverned'])
  expect(targets(balancesOf([asked(0, 50)]))['request-0']?.flags).toEqual([])
  expect(targets(balancesOf([taken(20, 33)]), 'recorded')['recorded']?.flags).toEqual([
    'ungoverned',
  ])
})

test('only a transaction with captured money is flagged as captured late', () => {
  const facts = [asked(0, 50), asked(1, 30), seen(10, 2, 0, { status: 'expired' }), taken(20, 50)]
  const { 'request-0': first, 'request-1': second } = targets(balancesOf(facts))
  expect(first).toMatchObject({ captured: units(50), flags: ['late_capture'] })
  expect(second).toMatchObject({ captured: 0n, flags: [] })
})

test('only a transaction of which something was left is flagged as ended by hand', () => {
  const end = seen(30, 2, 0, { status: 'by_hand', captures: ['capture-20'] })
  const facts = [asked(0, 50), asked(1, 30), taken(20, 50), end]
  const { 'request-0': first, 'request-1': second } = targets(balancesOf(facts))
  expect(first?.flags).toEqual([])
  expect(second?.flags).toEqual(['ended_by_hand'])
})

test('money in another currency flags all transactions', () => {
  const at = 20_000
  const money = { id: 'f', of: 'capture', moneyId: 'm', amount: units(5), currency: 'EUR' } as const
  const balances = balancesOf([asked(0, 50), { kind: 'foreign', at, ...money }])
  expect(targets(balances)['request-0']?.flags).toEqual(['other_currency'])
})
