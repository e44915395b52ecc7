import { expect, test } from 'vitest'
import { longestAmount } from '../../src/screens/transactions/amount-length.ts'
import { formatAmount } from '../../src/words/money.ts'

test.each([0, 0.005, 0.000001, 4.2, 12.5, 999.99, 1_000, 1_234.123456, 999_999_999.999999])(
  'counts the characters of %s as the list writes it',
  (amount) => {
    expect(longestAmount([{ amount: 1 }, { amount }])).toBe(
      Math.max(4, formatAmount(amount, 'USD').length),
    )
  },
)
