import { describe, expect, test } from 'vitest'
import type { Target } from '../../../../src/core/decision/target.ts'
import { toUnits } from '../../../../src/core/money.ts'
import { balancesOf } from '../../../../src/paths/card/ledger/balances.ts'
import { targetsOf } from '../../../../src/paths/card/ledger/booking.ts'
import type { Fact } from '../../../../src/paths/card/ledger/facts.ts'
import { BOUNDARIES } from './boundary-scenarios.ts'
import { ordersOf, SCENARIOS } from './scenarios.ts'
import { UNCOUNTED } from './uncounted-scenarios.ts'

/*
 * Issuers send events late, twice and out of order. Whatever the order, an authorization ends the
 * same. Each fact is booked as it comes, as the ledger does it: once more than is recorded unasked
 * is recorded, it stays.
 */

function createBooks() {
  const facts = new Map<string, Fact>()
  const transactions = new Map<string, Target>()
  return {
    learn(fact: Fact): void {
      facts.set(`${fact.kind} ${fact.id}`, fact)
      const balances = balancesOf([...facts.values()])
      const isRecorded = balances.ungoverned > 0n || transactions.has('recorded')
      const targets = targetsOf(balances, isRecorded ? 'recorded' : null, [])
      for (const [id, target] of targets) transactions.set(id, target)
    },
    read() {
      const { held, captured, refunded } = balancesOf([...facts.values()])
      const rows = [...transactions].map(
        ([id, target]) => [id, [...amountsOf(target), ...target.flags]] as const,
      )
      return { ...inUnits({ held, captured, refunded }), transactions: Object.fromEntries(rows) }
    },
  }
}

function amountsOf({ held, captured, refunded }: Target): number[] {
  return [held, captured, refunded].map(toUnits)
}

function inUnits(sums: Record<string, bigint>): Record<string, number> {
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, toUnits(sum)]))
}

describe.each([...SCENARIOS, ...UNCOUNTED, ...BOUNDARIES])('$name', ({ facts, ends }) => {
  test('ends the same in every order', () => {
    const orders = ordersOf(facts)
    expect(orders.length).toBeGreaterThan(0)
    for (const order of orders) {
      const books = createBooks()
      for (const fact of order) books.learn(fact)
      expect(books.read(), order.map(({ id }) => id).join(' ')).toEqual(ends)
    }
  })

  test('ends the same when everything comes twice', () => {
    for (const order of ordersOf(facts)) {
      const books = createBooks()
      for (const fact of order) books.learn(fact)
      for (const fact of order.toReversed()) books.learn(fact)
      expect(books.read(), order.map(({ id }) => id).join(' ')).toEqual(ends)
    }
  })

  test('books on its transactions exactly what the sums say', () => {
    for (const order of ordersOf(facts)) {
      const books = createBooks()
      for (const fact of order) {
        books.learn(fact)
        const { transactions, ...sums } = books.read()
        const total = (at: number): number =>
          Object.values(transactions).reduce((sum: number, row) => sum + Number(row[at]), 0)
        expect({ held: total(0), captured: total(1), refunded: total(2) }).toEqual(sums)
      }
    }
  })
})
