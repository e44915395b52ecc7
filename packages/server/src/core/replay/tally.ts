import type { Finding } from '../decision/evaluate.ts'
import { type Micros, toUnits } from '../money.ts'

/** The money of flipped decisions in one currency. */
export interface MoneyEachWay {
  readonly currency: string | null
  readonly newlyApproved: number
  readonly newlyRejected: number
}

/** Sums of newly approved and newly rejected money, for each currency. */
export interface Money {
  add(currency: string | null, isApproved: boolean, amount: Micros): void
  told(): MoneyEachWay[]
}

export function createMoney(): Money {
  const sums = new Map<string | null, { newlyApproved: Micros; newlyRejected: Micros }>()
  return {
    add(currency, isApproved, amount) {
      const sum = sums.get(currency) ?? { newlyApproved: 0n, newlyRejected: 0n }
      sum[isApproved ? 'newlyApproved' : 'newlyRejected'] += amount
      sums.set(currency, sum)
    },
    told: () =>
      [...sums].map(([currency, { newlyApproved, newlyRejected }]) => ({
        currency,
        newlyApproved: toUnits(newlyApproved),
        newlyRejected: toUnits(newlyRejected),
      })),
  }
}

export interface Tally {
  count: number
  readonly money: Money
  add(currency: string | null, isApproved: boolean, amount: Micros): void
}

export function newTally(): Tally {
  const money = createMoney()
  return {
    count: 0,
    money,
    add(currency, isApproved, amount) {
      this.count += 1
      money.add(currency, isApproved, amount)
    },
  }
}

export interface RuleTally extends Tally {
  readonly id: string
  readonly type: string
  stood: number
  asked: number
  flagged: number
}

/** A line has at most five mandates with 64 rules each, plus their budgets and the checks of cards. */
const RULES_MAX = 400

export function noteFinding(rules: Map<string, RuleTally>, { id, type, outcome }: Finding): void {
  const rule = tallyOf(rules, id, RULES_MAX, () => {
    return { ...newTally(), id, type, stood: 0, asked: 0, flagged: 0 }
  })
  if (!rule || outcome === 'pass') return
  if (outcome === 'flag') rule.flagged += 1
  else rule[outcome === 'fail' ? 'stood' : 'asked'] += 1
}

/** Returns undefined for a new key once the map is full; it then gets no tally of its own. */
export function tallyOf<Value>(
  all: Map<string, Value>,
  key: string,
  most: number,
  create: () => Value,
): Value | undefined {
  const known = all.get(key)
  if (known !== undefined || all.size >= most) return known
  const created = create()
  all.set(key, created)
  return created
}
