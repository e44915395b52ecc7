import { describe, expect, test } from 'vitest'
import type { ConvertedFact, Fact } from '../../../../src/paths/card/ledger/facts.ts'
import { convert, inCurrency } from '../../../../src/paths/card/ledger/other-currency.ts'
import { units } from '../../../core/desk.ts'
import { asked, givenBack, givenUp, seen, taken } from './scenarios.ts'

const euros = { currency: 'EUR' } as const

describe('the facts of an authorization in USD', () => {
  test('stay as they are in USD, and without a currency', () => {
    const facts = [asked(0, 50), seen(1, 1, 50, { currency: 'USD' }), taken(2, 20)]
    expect(inCurrency(facts, 'USD')).toEqual(facts)
  })

  test.each([
    ['capture', taken(20, 30)],
    ['refund', givenBack(20, 30)],
    ['release', givenUp(20, 30)],
  ] as const)('set a %s in EUR apart', (of, fact) => {
    const money = { moneyId: fact.id, at: 20_000, amount: units(30), currency: 'EUR' }
    expect(inCurrency([{ ...fact, ...euros }], 'USD')).toEqual([
      { kind: 'foreign', id: `${of} ${fact.id}`, of, ...money },
    ])
  })

  test('have a snapshot in EUR without its amount', () => {
    const snapshot = seen(1, 1, 50, euros)
    expect(inCurrency([snapshot], 'USD')).toEqual([{ ...snapshot, amount: null }])
  })

  test('are all in its currency as long as that is unknown', () => {
    const facts = [{ ...taken(20, 30), ...euros }, seen(1, 1, 50, euros)]
    expect(inCurrency(facts, null)).toEqual(facts)
  })

  test('are the same if they are set apart twice', () => {
    const apart = inCurrency<Fact>([{ ...taken(20, 30), ...euros }], 'USD')
    expect(inCurrency(apart, 'USD')).toEqual(apart)
  })
})

describe('money in EUR', () => {
  const apart = (...facts: readonly Fact[]) =>
    inCurrency(
      facts.map((fact) => ({ ...fact, ...euros })),
      'USD',
    )
  const byHand: ConvertedFact = {
    kind: 'converted',
    id: 'capture-20',
    at: 30_000,
    amount: units(33),
  }

  test('is open until somebody converts it', () => {
    const { captures, open, isByHand } = convert(apart(taken(20, 30), givenBack(21, 5)))
    expect([captures, isByHand]).toEqual([[], false])
    expect(open.map(({ id }) => id)).toEqual(['capture capture-20', 'refund refund-21'])
  })

  test('counts as a person converts it, which leaves other money open', () => {
    const facts = [...apart(taken(20, 30), taken(25, 10)), byHand]
    const { captures, open, isByHand } = convert(facts)
    expect(captures).toEqual([{ ...byHand, kind: 'capture' }])
    expect([open.map(({ moneyId }) => moneyId), isByHand]).toEqual([['capture-25'], true])
  })

  test('counts as the issuer converts it, whatever a person said', () => {
    const issuers = taken(20, 34)
    const { captures, open, isByHand } = convert([...apart(taken(20, 30)), byHand, issuers])
    expect([captures, open, isByHand]).toEqual([[issuers], [], false])
  })

  test('stays open if it is a refund, although a capture of the same name is converted', () => {
    const refund = { ...givenBack(20, 30), id: 'capture-20' }
    expect(convert([...apart(refund), byHand]).open).toHaveLength(1)
    expect(convert([...apart(refund), taken(20, 30)]).open).toHaveLength(1)
    expect(convert([...apart(refund), { ...refund, amount: units(33) }]).open).toEqual([])
  })
})
