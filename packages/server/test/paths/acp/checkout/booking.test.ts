import { describe, expect, test } from 'vitest'
import { bookedAs, requireMoney } from '../../../../src/paths/acp/checkout/booking.ts'
import { units } from '../../../core/desk.ts'
import { someTransaction } from '../../../core/some-transaction.ts'

type Checkout = Parameters<typeof bookedAs>[0]
type Booking = Parameters<typeof bookedAs>[2]

/** A checkout over 50, whose merchant has reported no refund. */
const CHECKOUT: Checkout = { maxMinor: 5_000, currency: 'USD', refunds: {}, refunded: 0n }

interface Known {
  readonly checkout?: Partial<Checkout>
  readonly transaction?: Parameters<typeof someTransaction>[0]
  readonly booking?: Partial<Booking>
}

function booked({ checkout, transaction, booking }: Known) {
  return bookedAs({ ...CHECKOUT, ...checkout }, someTransaction(transaction), {
    captured: units(50),
    held: 0n,
    ...booking,
  })
}

const refundsOf = (...amounts: readonly number[]) =>
  Object.fromEntries(amounts.map((amount, at) => [`order/${at}`, String(units(amount))]))

describe('the refunds of a checkout', () => {
  test('are those that the merchant reports, added up', () => {
    const { target, reported } = booked({ checkout: { refunds: refundsOf(5, 15) } })
    expect([target.refunded, reported]).toEqual([units(20), units(20)])
  })

  test('keep what the organization has booked by hand', () => {
    const { target, reported } = booked({
      checkout: { refunds: refundsOf(15), refunded: units(5) },
      transaction: { refundedAmount: units(12) },
    })
    expect([target.refunded, reported]).toEqual([units(22), units(15)])
  })

  test('follow a report that takes some of them back', () => {
    const { target, reported } = booked({
      checkout: { refunds: refundsOf(2), refunded: units(5) },
      transaction: { refundedAmount: units(12) },
    })
    expect([target.refunded, reported]).toEqual([units(9), units(2)])
  })

  test('never exceed the payment, and are flagged beyond it', () => {
    const whole = booked({ checkout: { refunds: refundsOf(50) } })
    expect(whole.target).toMatchObject({ refunded: units(50), flags: [] })
    const more = booked({
      checkout: { refunds: refundsOf(45) },
      transaction: { refundedAmount: units(10) },
    })
    expect(more.target).toMatchObject({ refunded: units(50), flags: ['over_refund'] })
    expect(more.reported).toBe(units(40))
  })

  test('lose their flag with a lower report, and no other flag', () => {
    const transaction = { flags: ['total_unproven', 'over_refund'] } as const
    expect(booked({ transaction }).target.flags).toEqual(['total_unproven'])
  })
})

describe('the payment of a checkout', () => {
  test('is booked with what is still held, and flagged only beyond the judged amount', () => {
    const exact = booked({ booking: { captured: units(50), held: units(3) } }).target
    expect(exact).toMatchObject({ captured: units(50), held: units(3), end: 'voided', flags: [] })
    const more = booked({ booking: { captured: units(50) + 1n } }).target
    expect(more).toMatchObject({ captured: units(50) + 1n, flags: ['over_capture'] })
  })

  test('has each flag once', () => {
    const flags = ['rest_unproven'] as const
    expect(booked({ transaction: { flags }, booking: { flags } }).target.flags).toEqual(flags)
    expect(booked({ booking: { flags } }).target.flags).toEqual(flags)
  })
})

test('an amount of minor units that no budget can hold is refused', () => {
  expect(requireMoney(1_050, 'USD')).toBe(units(10.5))
  expect(() => requireMoney(Number.MAX_SAFE_INTEGER, 'USD')).toThrow('out of range')
})
