import { expect, test } from 'vitest'
import { balancesOf } from '../../../../src/paths/card/ledger/balances.ts'
import { isBeyondTolerance } from '../../../../src/paths/card/ledger/over-capture.ts'
import { asked, seen, taken } from './scenarios.ts'

const captured = (amount: number) => balancesOf([asked(0, 40), asked(1, 10), taken(20, amount)])

test.each([
  ['a restaurant', '5812', 60],
  ['a taxi', '4121', 60],
  ['a hairdresser', '7230', 60],
  ['a hotel', '7011', 57.5],
  ['a shop for computers', '5734', 50],
  ['a merchant without a code', null, 50],
] as const)('%s may capture up to its tolerance beyond the approved 50', (_, mcc, most) => {
  expect(isBeyondTolerance(captured(most), mcc)).toBe(false)
  expect(isBeyondTolerance(captured(most + 0.000001), mcc)).toBe(true)
})

test('a capture that the issuer had held is within it', () => {
  const raised = balancesOf([asked(0, 50), seen(1, 1, 90), taken(20, 90)])
  expect(isBeyondTolerance(raised, '5734')).toBe(false)
})
