import fc from 'fast-check'
import { expect } from 'vitest'
import { keepBooks } from '../../src/analytics/keep-books.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { anActiveMandate, anAgent, bodyOf, DAY_MS } from '../support/builders.ts'
import { waitUntil } from '../support/wait-until.ts'
import { askSums, GROUP_BYS, type Metric, readExport, sumExport } from './by-export.ts'

/** Far enough from the end of a month that a run crosses one. */
const START = Date.parse('2026-10-29T10:00:00Z')
const ZONE = 'Pacific/Auckland'
const INTERVALS = [undefined, 'day', 'week', 'month'] as const
const METRICS: readonly Metric[] = ['spend', 'rejections', 'approvals']

const spend = fc.record({
  kind: fc.constant('spend' as const),
  agent: fc.nat({ max: 2 }),
  amount: fc.integer({ min: 1, max: 30_000_000 }).map((micros) => micros / 1e6),
  vendor: fc.constantFrom('a.example', 'b.example', 'blocked.example'),
  category: fc.constantFrom('llm', 'search'),
  isHeld: fc.boolean(),
})
const change = fc.record({
  kind: fc.constantFrom('settle' as const, 'void' as const, 'refund' as const),
  which: fc.nat({ max: 40 }),
  part: fc.integer({ min: 1, max: 1_000_000 }),
})
const later = fc.record({ kind: fc.constant('later' as const), hours: fc.nat({ max: 40 }) })
/** Some steps of the worker: it may stop anywhere, and everything goes on meanwhile. */
const count = fc.record({
  kind: fc.constant('count' as const),
  steps: fc.integer({ min: 1, max: 8 }),
})
const zone = fc.record({
  kind: fc.constant('zone' as const),
  timezone: fc.constantFrom('UTC', ZONE, 'America/St_Johns'),
})
const operation = fc.oneof(
  { weight: 8, arbitrary: spend },
  { weight: 6, arbitrary: change },
  { weight: 2, arbitrary: later },
  { weight: 3, arbitrary: count },
  { weight: 1, arbitrary: zone },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

/** Plays random spends, and all that can become of them, and compares the sums with the export. */
export async function holdsAgainstExport(app: TestApp, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 25, maxLength: 40 }), async (all) => {
      const play = await begin(app)
      for (const each of all) await play.carryOut(each)
      await play.settleDown()
      await expectSameSums(app, play.owner)
      // And once more from the sums of days that are over.
      app.clock.now = (app.clock.now ?? START) + 3 * DAY_MS
      await play.settleDown()
      await expectSameSums(app, play.owner)
    }),
    { numRuns, endOnFailure: true },
  )
}

async function expectSameSums(app: TestApp, owner: Owner): Promise<void> {
  const parts = { db: app.database.db, clock: app.time.read }
  expect(await keepBooks(parts, owner.organizationId, 2_000)).toBe(true)
  const exported = await readExport(app, owner)
  const { timezone } = bodyOf(await owner.get('/organization'))
  const range = '&from=2026-10-01&to=2026-12-30'
  for (const metric of METRICS) {
    for (const [index, groupBy] of GROUP_BYS.entries()) {
      const interval = INTERVALS[index % INTERVALS.length]
      const question = { metric, groupBy, ...(interval && { interval }) }
      const expected = sumExport(exported, timezone, question)
      const answered = await askSums(owner, question, range)
      expect(toText(answered), JSON.stringify(question)).toEqual(toText(expected))
    }
  }
}

function toText(sums: ReadonlyMap<string, readonly number[]>): string[] {
  return [...sums].map(([name, figures]) => `${name} ${figures.join(' ')}`).sort()
}

async function begin(app: TestApp) {
  app.clock.now = START
  const owner = await app.organization()
  bodyOf(await owner.patch('/organization', { timezone: ZONE }))
  const rules = [
    { type: 'vendors', block: ['blocked.example'] },
    { type: 'amount', max: 5, effect: 'flag' },
    { type: 'approval', above: 25 },
  ]
  const budget = { budgetTotal: 200, budgetPeriod: 'weekly' }
  const { agentId, id } = await anActiveMandate(owner, { ...budget, rules })
  const below = await anAgent(owner)
  const child = { agentId: below.id, parentMandateId: id, budgetTotal: 80, rules }
  await anActiveMandate(owner, { ...child, budgetPeriod: 'weekly' })
  const abroad = await anActiveMandate(owner, { ...budget, currency: 'EUR', rules })
  const agents = [agentId, below.id, abroad.agentId]
  const spent: string[] = []
  const parts = { db: app.database.db, clock: app.time.read }
  // So that spends are counted as they come, and corrected later.
  expect(await keepBooks(parts, owner.organizationId, 100)).toBe(true)

  /** A hold that is over shows as such at once, and is booked by the sweeper soon after. */
  const settleDown = () =>
    waitUntil(async () => {
      const at = new Date(app.clock.now ?? 0).toISOString()
      const overdue = await app.rows(
        `select 1 from transactions where organization_id = $1 and status = 'held'
           and expires_at <= $2`,
        [owner.organizationId, at],
      )
      return overdue.length === 0
    })

  async function carryOut(each: Operation): Promise<void> {
    switch (each.kind) {
      case 'spend': {
        const { amount, vendor, category } = each
        const hold = each.isHeld ? { expiresIn: '20h' } : undefined
        const body = { agentId: agents[each.agent], amount, vendor, category, hold }
        const { transactionId } = bodyOf(await owner.post('/gateway/evaluate', body))
        spent.push(transactionId)
        return
      }
      case 'later':
        app.clock.now = (app.clock.now ?? START) + (each.hours * DAY_MS) / 24
        return
      case 'count':
        await keepBooks(parts, owner.organizationId, each.steps)
        return
      case 'zone':
        bodyOf(await owner.patch('/organization', { timezone: each.timezone }))
        return
      default:
        return changeOne(owner, spent, each)
    }
  }
  return { owner, carryOut, settleDown }
}

/** What its state does not allow is refused, which is fine. */
async function changeOne(
  owner: Owner,
  spent: readonly string[],
  { kind, which, part }: Extract<Operation, { part: number }>,
): Promise<void> {
  const id = spent[which % Math.max(1, spent.length)]
  if (id === undefined) return
  const isWhole = kind === 'void' || part % 2 === 0
  await owner.post(`/transactions/${id}/${kind}`, isWhole ? {} : { amount: part / 1e6 })
}
