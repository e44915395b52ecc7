import assert from 'node:assert/strict'
import { cpus } from 'node:os'
import type { Counter } from '../packages/server/src/core/counters/counter.ts'
import type { MandateAccount, VendorHistory } from '../packages/server/src/core/decision/account.ts'
import { decide } from '../packages/server/src/core/decision/decide.ts'
import { compilePolicy } from '../packages/server/src/core/mandates/policy.ts'
import { type RuleInput, toRules } from '../packages/server/src/core/rules/rule-set.ts'
import type { Spend } from '../packages/server/src/core/spend.ts'

// The cost of `decide` alone, by number of rules. Every approved spend is booked, so that counters
// fill and the budget changes as in the gateway. Rounds are interleaved and the median is shown: on
// a shared machine, a mean says more about the neighbours.

const MIX: readonly RuleInput[] = [
  { type: 'amount', max: 50 },
  { type: 'vendors', allow: ['api.openai.com', '*.example.com'], block: ['ads.example.com'] },
  { type: 'limit', maxCount: 1_000_000, maxAmount: 900_000_000, window: '1h' },
  { type: 'categories', allow: ['llm', 'search'] },
  { type: 'limit', groupBy: 'vendor', maxAmount: 900_000_000, window: 'day' },
  { type: 'paths', allow: ['evaluate', 'x402'] },
  { type: 'schedule', windows: [{ from: '00:00', to: '24:00' }], timezone: 'Europe/Berlin' },
  { type: 'approval', above: 40 },
  { type: 'price_drift', maxIncreasePercent: 10_000 },
  { type: 'new_vendor', effect: 'flag' },
  { type: 'duplicate', window: '10s', match: ['reference'] },
  { type: 'limit', match: { category: 'search' }, maxAmount: 300, window: 'period' },
]
const SIMPLE: readonly RuleInput[] = MIX.slice(0, 5)
const EXPRESSION: RuleInput = {
  type: 'expression',
  expr: "!(category == 'search' && amount > money('20')) && vendor.endsWith('.com')",
}

interface Case {
  readonly name: string
  readonly inputs: readonly RuleInput[]
  readonly amount: bigint
}

const CASES: readonly Case[] = [
  { name: '1 rule', inputs: SIMPLE.slice(0, 1), amount: 1_000_000n },
  { name: '5 rules', inputs: SIMPLE, amount: 1_000_000n },
  { name: '20 rules', inputs: repeat(20), amount: 1_000_000n },
  { name: '64 rules', inputs: repeat(64), amount: 1_000_000n },
  { name: '5 rules and an expression', inputs: [...SIMPLE, EXPRESSION], amount: 1_000_000n },
  { name: '5 rules, rejected with next', inputs: SIMPLE, amount: 60_000_000n },
  { name: '64 rules, rejected with next', inputs: repeat(64), amount: 60_000_000n },
]

const ROUNDS = 15
const DECISIONS = 4_000

main()

function main(): void {
  const samples = CASES.map((): number[] => [])
  const runs = CASES.map(createRun)
  for (let round = 0; round < ROUNDS; round += 1) {
    runs.forEach((run, index) => {
      const started = process.hrtime.bigint()
      run(DECISIONS)
      samples[index]?.push(Number(process.hrtime.bigint() - started) / DECISIONS / 1_000)
    })
  }
  print(`${cpus()[0]?.model}, Node ${process.version}, ${new Date().toISOString()}`)
  print(`${'decide'.padEnd(30)}median µs  best µs`)
  CASES.forEach(({ name }, index) => {
    const sorted = (samples[index] ?? []).sort((a, b) => a - b)
    print(`${name.padEnd(30)}${at(sorted, 0.5).padStart(9)}${at(sorted, 0).padStart(9)}`)
  })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function createRun({ inputs, amount }: Case): (decisions: number) => void {
  const rules = toRules(inputs)
  const terms = {
    name: 'Bench',
    currency: 'USD',
    timezone: 'Europe/Berlin',
    validFrom: null,
    validUntil: null,
    budgetPeriod: 'monthly',
    budgetTotal: 999_999_999_000_000n,
    warningPercents: [80],
    rules,
  } as const
  const mandateId = '0198c5a0-0000-7000-8000-000000000001'
  const policy = compilePolicy({ mandateId, version: 1, hash: 'sha256:bench', terms })
  const counters = new Map<string, Counter>()
  const own: MandateAccount = {
    policy,
    agentId: '0198c5a0-0000-7000-8000-000000000002',
    status: 'active',
    budgetTotal: terms.budgetTotal,
    spent: 0n,
    held: 0n,
    overdrawn: 0n,
    periodStart: null,
  }
  let mandates: readonly MandateAccount[] = [own]
  let vendor: VendorHistory | undefined
  const agent = { id: own.agentId, status: 'active', tags: [] } as const
  const counter = (key: string) => counters.get(key)
  const isRead = () => true
  const expected = amount > 50_000_000n ? 'rejected' : 'approved'
  let now = Date.parse('2026-10-15T12:00Z')
  let sequence = 0
  return (decisions) => {
    for (let index = 0; index < decisions; index += 1) {
      now += 7
      sequence += 1
      const usage = { counter, isRead, vendor }
      const account = { organization: { frozen: false }, agent, mandates, usage }
      const decision = decide(spendOf(amount, `order-${sequence}`), account, now)
      assert.equal(decision.decision, expected, decision.message)
      for (const [key, changed] of decision.counters) counters.set(key, changed)
      mandates = decision.mandates
      vendor = decision.vendor
    }
    if (counters.size > 100_000) counters.clear()
  }
}

function spendOf(amount: bigint, reference: string): Spend {
  return {
    transactionId: '0198c5a0-0000-7000-8000-000000000003',
    organizationId: '0198c5a0-0000-7000-8000-000000000004',
    agentId: '0198c5a0-0000-7000-8000-000000000002',
    path: 'evaluate',
    amount,
    currency: 'USD',
    vendor: 'api.openai.com',
    category: 'llm',
    reference,
    payee: null,
    holdMs: null,
    card: null,
  }
}

function repeat(count: number): RuleInput[] {
  return Array.from({ length: count }, (_, index) => MIX[index % MIX.length]).filter(
    (rule) => rule !== undefined,
  )
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
}
