import { describe, expect, test } from 'vitest'
import { compareTerms } from '../../../../src/paths/x402/offers/changed-terms.ts'
import { asking, NETWORK, PAYER, someOffer, someV1Offer, USDC } from '../some-offer.ts'
import { somePayment } from '../some-payment.ts'

const OTHER = `0x${'d1'.repeat(20)}`
const payment = somePayment(2, someOffer(), PAYER)

const kindsOf = (...offers: readonly unknown[]) =>
  compareTerms(payment, asking(2, ...offers)).map(({ kind }) => kind)

describe('a vendor that asks again after it was paid', () => {
  test.each([
    ['the same', {}, []],
    ['the same in capital letters', { asset: USDC.toUpperCase().replace('X', 'x') }, []],
    ['less', { amount: '9999' }, []],
    ['more', { amount: '10001' }, ['price_raised']],
    ['a different payee', { payTo: OTHER }, ['payee_changed']],
    ['a different token', { asset: OTHER }, ['asset_changed']],
    ['the token of a different network', { network: 'eip155:1' }, ['asset_changed']],
    ['more of a different token', { asset: OTHER, amount: '99999' }, ['asset_changed']],
    [
      'more for a different payee',
      { payTo: OTHER, amount: '10001' },
      ['payee_changed', 'price_raised'],
    ],
  ])('for %s changed %o', (_, change, kinds) => {
    expect(kindsOf(someOffer(change))).toEqual(kinds)
  })

  test('in version 1 is compared by the names of that version', () => {
    const v1 = somePayment(1, someV1Offer(), PAYER)
    const dearer = someV1Offer({ maxAmountRequired: '10001' })
    expect(compareTerms(v1, asking(1, someV1Offer()))).toEqual([])
    expect(compareTerms(v1, asking(1, dearer))).toMatchObject([{ kind: 'price_raised' }])
    expect(compareTerms(v1, asking(2, dearer))).toEqual([])
  })

  test('is compared by the offer that is nearest to the paid one', () => {
    const dear = someOffer({ amount: '20000' })
    const strange = someOffer({ asset: OTHER, amount: '1' })
    const diverted = someOffer({ payTo: OTHER, amount: '1' })
    expect(kindsOf(strange, diverted, dear)).toEqual(['price_raised'])
    expect(kindsOf(someOffer({ asset: OTHER, payTo: OTHER }), strange)).toEqual(['asset_changed'])
    expect(kindsOf(strange, diverted)).toEqual(['payee_changed'])
    expect(kindsOf(dear, someOffer())).toEqual([])
    expect(kindsOf(someOffer(), dear)).toEqual([])
  })

  test.each([
    ['that is no object', 'an offer'],
    ['that is null', null],
    ['without a network', someOffer({ network: undefined })],
    ['with a malformed network', someOffer({ network: `${NETWORK} <b>` })],
    ['with a malformed token', someOffer({ asset: 'USDC' })],
    ['with a malformed payee', someOffer({ payTo: 'me' })],
    ['with a malformed amount', someOffer({ amount: '0x2711' })],
    ['with a number as its amount', someOffer({ amount: 10_001 })],
  ])('is not compared by an offer %s', (_, offer) => {
    expect(kindsOf(offer)).toEqual([])
  })
})
