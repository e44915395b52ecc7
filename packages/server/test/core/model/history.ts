import assert from 'node:assert/strict'
import { figuresAt } from '../../../src/core/decision/account.ts'
import type { Decision } from '../../../src/core/decision/decide.ts'
import { percentOf } from '../../../src/core/money.ts'
import type { Spend } from '../../../src/core/spend.ts'
import { agentId, mandateId, NOON, someSpend } from '../desk.ts'
import { type Booked, openBooks } from './books.ts'
import type { Fact } from './fact.ts'
import { expect, figuresOf, type Terms } from './naive.ts'
import { RULE_SETS, type RuleSet } from './rule-sets.ts'

/** Two trees: a mandate with one below it and one below that, and a lone one. */
const LINES: readonly (readonly number[])[] = [[0], [1, 0], [2, 1, 0], [3]]
const PERIODS = ['none', 'none', 'daily', 'weekly', 'monthly'] as const
const AMOUNTS = [1n, 500_000n, 2_000_000n, 10_000_000n, 20_000_000n, 25_000_000n, 33_333_333n]
const VENDORS = ['x.a.com', 'y.a.com', 'ads.a.com', 'a.com', 'b.com']
const CATEGORIES = ['llm', 'search', 'gambling', null]
const PATHS = ['evaluate', 'evaluate', 'x402', 'card'] as const
const REFERENCES = [null, null, 'r1', 'r2']
const GAPS = [0, 0, 0, 1, 999, 4_000, 10_000, 60_000, 61_000, 300_000]
const JUMPS = [3_600_000, 12 * 3_600_000, 86_400_000, 7 * 86_400_000, 31 * 86_400_000]
const HOLD_MS = 1_800_000

/**
 * Plays one random history on the core and on the naive model, and compares them after every
 * step. A number stands for a step; what it means is drawn from its bits, so that fast-check can
 * leave steps out when it looks for the shortest history that fails.
 */
export function play(numbers: readonly number[]): void {
  const setup = drawing(numbers[0] ?? 0)
  const terms: Terms[] = LINES.map(() => ({
    ruleSet: setup(RULE_SETS),
    budgetTotal: setup([30_000_000n, 75_000_000n, 200_000_000n]),
    period: setup(PERIODS),
  }))
  const books = openBooks(terms)
  const facts: (Fact & { readonly booked: Booked })[] = []
  let now = NOON

  const steps: readonly ((draw: Draw) => void)[] = [
    ...Array.from({ length: 20 }, () => spend),
    ...Array.from({ length: 5 }, () => endHold),
    refund,
    refund,
    changeBudget,
    changeBudget,
    changeRules,
    changeRules,
    jump,
  ]
  for (const number of numbers) {
    const draw = drawing(number)
    now += draw(GAPS)
    draw(steps)(draw)
    expireHolds()
    compareFigures()
  }

  function spend(draw: Draw): void {
    const line = draw(LINES)
    const attempt = spendOf(draw, line[0] ?? 0)
    const expected = expect(attempt, line, terms, facts, now)
    const decision = books.decide(attempt, line, now)
    compare(decision, expected)
    if (decision.decision === 'rejected') {
      assert(line.every((mandate, depth) => decision.mandates[depth] === books.accounts[mandate]))
      return
    }
    const said: RuleSet[] = line.flatMap((mandate) => terms[mandate]?.ruleSet ?? [])
    const isHeld = attempt.holdMs !== null
    const booked = books.book(decision, line)
    const { amount } = attempt
    facts.push({
      spend: attempt,
      at: now,
      line,
      said,
      amount,
      isHeld,
      isVoided: false,
      refunded: 0n,
      booked,
    })
  }

  function endHold(draw: Draw): void {
    const held = facts.filter(({ isHeld }) => isHeld)
    const fact = held.length > 0 ? draw(held) : undefined
    if (!fact) return
    const { amount } = fact
    const actual = draw([amount, amount / 2n, 0n, amount + 3_000_000n, amount * 3n, undefined])
    if (actual === undefined) {
      books.void(fact.booked, amount)
      fact.isVoided = true
    } else {
      books.settle(fact.booked, amount, actual)
      fact.amount = actual
    }
    fact.isHeld = false
  }

  function expireHolds(): void {
    for (const fact of facts) {
      if (!fact.isHeld || fact.at + HOLD_MS > now) continue
      books.void(fact.booked, fact.amount)
      fact.isVoided = true
      fact.isHeld = false
    }
  }

  function refund(draw: Draw): void {
    const settled = facts.filter(({ isHeld, isVoided }) => !isHeld && !isVoided)
    const fact = settled.length > 0 ? draw(settled) : undefined
    if (!fact) return
    const left = fact.amount - fact.refunded
    const amount = draw([left, left / 2n])
    books.refund(fact.booked, amount)
    fact.refunded += amount
  }

  function changeBudget(draw: Draw): void {
    const mandate = draw([0, 1, 2, 3])
    const { spent } = figuresOf(mandate, terms, facts, now)
    const budgetTotal = draw([spent, spent + 1n, spent + 40_000_000n, 150_000_000n])
    const term = terms[mandate]
    if (!term || budgetTotal < spent || budgetTotal === 0n) return
    term.budgetTotal = budgetTotal
    books.setBudget(mandate, budgetTotal)
  }

  function changeRules(draw: Draw): void {
    const mandate = draw([0, 1, 2, 3])
    const term = terms[mandate]
    if (!term) return
    term.ruleSet = draw(RULE_SETS)
    books.setRules(mandate, term.ruleSet)
  }

  function jump(draw: Draw): void {
    now += draw(JUMPS)
  }

  function compareFigures(): void {
    for (const [mandate, account] of books.accounts.entries()) {
      const { spent, held, overdrawn } = figuresAt(account, now)
      const expected = figuresOf(mandate, terms, facts, now)
      assert.equal(spent, expected.spent, 'what is spent')
      assert.equal(held, expected.held, 'what is held')
      assert(spent - overdrawn <= account.budgetTotal, 'the constraint of the table')
    }
  }
}

function compare(decision: Decision, expected: ReturnType<typeof expect>): void {
  assert.equal(decision.code, expected.code)
  assert.equal(decision.decision === 'approved', expected.code === 'approved')
  assert.equal(decision.remainingBudget, expected.remaining)
  const events = decision.budgetEvents.map(
    ({ kind, mandateId: id, budgetTotal, budgetSpent }) =>
      `${kind} ${MANDATE_IDS.indexOf(id)} ${percentOf(budgetSpent, budgetTotal)}`,
  )
  assert.equal(events.join(), expected.budgetEvents.join())
}

const MANDATE_IDS = LINES.map((_, index) => mandateId(index))

function spendOf(draw: Draw, agent: number): Spend {
  return someSpend({
    agentId: agentId(agent),
    amount: draw(AMOUNTS),
    vendor: draw(VENDORS),
    category: draw(CATEGORIES),
    path: draw(PATHS),
    reference: draw(REFERENCES),
    payee: null,
    holdMs: draw([null, null, HOLD_MS]),
  })
}

type Draw = <Choice>(choices: readonly Choice[]) => Choice

/** Draws one choice after another from a number: a few rounds of a mixing function for each. */
function drawing(number: number): Draw {
  let state = number | 0
  return (choices) => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    const choice = choices[((mixed ^ (mixed >>> 15)) >>> 0) % choices.length]
    // The only list that holds undefined means it as a choice.
    return choice as (typeof choices)[number]
  }
}
