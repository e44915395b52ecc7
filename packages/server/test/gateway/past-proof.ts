import assert from 'node:assert/strict'
import { Problem } from '../../src/base/errors.ts'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { PAST_ROWS } from '../../src/gateway/past/past-rows.ts'
import { units } from '../core/desk.ts'
import { isInside } from '../core/model/calendar.ts'
import type { Owner, TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { inPlace } from '../support/path-gateway.ts'
import { evaluate, simulate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Where a history is played. */
export interface Scene {
  readonly app: TestApp
  readonly acme: Owner
  readonly gateway: Gateway
}

/** A mandate, and one below it. */
interface Line {
  readonly parent: { readonly id: string; readonly agentId: string }
  readonly child: { readonly id: string; readonly agentId: string }
}

const MOST = { maxAmount: 900_000, effect: 'flag' } as const

/** Rules that stop nothing, and show in their findings what they have counted. */
const COUNTED = [
  { id: 'hours', window: '1h' },
  { id: 'minutes', window: '10m', groupBy: 'vendor' },
  { id: 'days', window: 'day', match: { category: 'llm' } },
  { id: 'whole', window: 'period', groupBy: 'category' },
] as const

const RULES = [
  ...COUNTED.map((rule) => ({ type: 'limit', ...MOST, ...rule })),
  { type: 'limit', id: 'number', maxCount: 90_000, window: '1h', effect: 'flag' },
  { type: 'duplicate', id: 'same', window: '10m', match: ['vendor', 'amount'], effect: 'flag' },
]

const VENDORS = ['a.com', 'b.com']
const CATEGORIES = ['llm', 'search']

export async function aLine({ acme }: Scene): Promise<Line> {
  const budget = { budgetTotal: 900_000 }
  const parent = await anActiveMandate(acme, budget)
  const child = await anActiveMandate(acme, { ...budget, parentMandateId: parent.id })
  return { parent, child }
}

export async function addLimits({ acme }: Scene, { parent, child }: Line): Promise<void> {
  for (const { id } of [parent, child])
    bodyOf(await acme.patch(`/mandates/${id}`, { rules: RULES }))
}

export async function removeLimits({ acme }: Scene, { parent }: Line): Promise<void> {
  bodyOf(await acme.patch(`/mandates/${parent.id}`, { rules: [] }))
}

/** Waits until nothing is left to be counted. */
export function whenCounted({ app }: Scene): Promise<void> {
  return waitUntil(async () => (await app.rows('select 1 from past_counts')).length === 0)
}

/** Lets only so many transactions be counted under a lock. */
export async function withRows<T>(rows: typeof PAST_ROWS, run: () => Promise<T>): Promise<T> {
  const usual = { ...PAST_ROWS }
  Object.assign(PAST_ROWS, rows)
  try {
    return await run()
  } finally {
    Object.assign(PAST_ROWS, usual)
  }
}

/** One step of a history, whichever it is. Steps that the state does not allow change nothing. */
export async function takeStep(scene: Scene, line: Line, random: () => number): Promise<void> {
  const pick = <T>(choices: readonly T[]): T => {
    const choice = choices[Math.floor(random() * choices.length)]
    assert(choice !== undefined)
    return choice
  }
  if (random() < 0.5) {
    const hold = pick([{}, { hold: { expiresIn: '10s' } }, { hold: { expiresIn: '1h' } }])
    const fields = { vendor: pick(VENDORS), category: pick(CATEGORIES), ...hold }
    const { agentId } = pick([line.parent, line.child])
    await evaluate(scene.acme, agentId, { amount: pick([1, 2, 5.5]), ...fields })
    return
  }
  const known = await transactionsOf(scene, line)
  if (known.length > 0) await changeOne(scene, pick(known), pick)
}

type Draw = <T>(choices: readonly T[]) => T

async function changeOne({ app, acme, gateway }: Scene, row: Row, pick: Draw): Promise<void> {
  const { id, flags, status } = row
  const kind = pick(['settle', 'void', 'refund', 'raise', 'capture'])
  // Where money of several instants is refunded, the transaction does not say when it was spent.
  if (kind === 'refund' ? flags !== null : status.endsWith('refunded')) return
  if (kind === 'raise') {
    await inPlace(app, acme, id, (place) => gateway.raise(place, units(3))).catch(refused)
  } else if (kind === 'capture') {
    const capture = { amount: units(pick([1, 4])), isFinal: pick([true, false]) }
    await inPlace(app, acme, id, (place) => gateway.capture(place, capture)).catch(refused)
  } else {
    const body = kind === 'void' ? undefined : pick([{}, { amount: 1 }])
    await acme.post(`/transactions/${toPublicId('txn', id)}/${kind}`, body)
  }
}

function refused(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}

interface Row {
  readonly id: string
  readonly agentId: string
  readonly vendor: string
  readonly category: string
  readonly amount: bigint
  readonly status: string
  readonly counted: bigint
  readonly laterParts: readonly (readonly [at: number, held: string, settled: string])[] | null
  readonly flags: readonly string[] | null
  readonly createdAt: number
}

function transactionsOf({ app }: Scene, { parent, child }: Line): Promise<Row[]> {
  return app.rows<Row>(
    `select id, agent_id as "agentId", vendor, category, amount, status,
            held_amount + settled_amount as counted, later_parts as "laterParts", flags,
            created_at as "createdAt"
     from transactions where mandate_id = any($1) order by id`,
    [[toUuid('mnd', parent.id), toUuid('mnd', child.id)]],
  )
}

/** Every figure that the limits show, and that of a model which knows only the transactions. */
export async function compareWithModel(scene: Scene, line: Line, now: number): Promise<void> {
  const rows = await transactionsOf(scene, line)
  for (const [mandate, below] of [
    [line.parent, line.child],
    [line.child, undefined],
  ] as const) {
    const agents = [mandate.agentId, below?.agentId]
    const drawn = rows.filter(({ agentId }) => agents.includes(agentId)).flatMap(entriesOf)
    for (const vendor of VENDORS) {
      for (const category of CATEGORIES) {
        const spend = { vendor, category, amount: 1 }
        const shown = await simulate(scene.acme, mandate.agentId, spend)
        const observed = shown.evaluationDetails.rules
          .filter(({ type, id }) => type !== 'budget' && !id.includes('/'))
          .map((finding) => [finding.id, finding.observed])
        assert.deepEqual(Object.fromEntries(observed), expected(drawn, spend, now))
      }
    }
  }
}

interface Entry extends Pick<Row, 'vendor' | 'category' | 'amount'> {
  readonly at: number
  readonly money: bigint
  readonly isSpend: boolean
}

/** What a transaction comes to, at the instants at which its money was booked. */
function entriesOf(row: Row): Entry[] {
  if (['rejected', 'voided', 'expired'].includes(row.status)) return []
  const later = (row.laterParts ?? []).map(([at, held, settled]) => ({
    at,
    money: BigInt(held) + BigInt(settled),
  }))
  const first = row.counted - later.reduce((sum, { money }) => sum + money, 0n)
  return [{ at: row.createdAt, money: first }, ...later]
    .filter(({ money }) => money > 0n)
    .map((part, index) => ({ ...row, ...part, isSpend: index === 0 }))
}

function expected(
  drawn: readonly Entry[],
  { vendor, category }: { readonly vendor: string; readonly category: string },
  now: number,
): Record<string, number | null> {
  const inside = (window: string, isAlike: (entry: Entry) => boolean) =>
    drawn.filter((entry) => isAlike(entry) && isInside(window, 'none', entry.at, now))
  const after = (entries: readonly Entry[]) =>
    Number(entries.reduce((sum, { money }) => sum + money, 1_000_000n)) / 1e6
  const number = (entries: readonly Entry[]) => entries.filter(({ isSpend }) => isSpend).length + 1
  return {
    hours: after(inside('1h', () => true)),
    minutes: after(inside('10m', (entry) => entry.vendor === vendor)),
    days: category === 'llm' ? after(inside('day', (entry) => entry.category === 'llm')) : null,
    whole: after(inside('period', (entry) => entry.category === category)),
    number: number(inside('1h', () => true)),
    same: number(inside('10m', (entry) => entry.vendor === vendor && entry.amount === 1_000_000n)),
  }
}
