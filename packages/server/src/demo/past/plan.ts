import type { Instant } from '../../core/time/instant.ts'
import { createRandom, type Random } from '../random.ts'
import type { AgentName } from '../record.ts'
import type { Line } from '../stand-ins/shop.ts'
import { AGENT_PLANS } from './mandates.ts'
import type { Move, Stage } from './play.ts'
import type { Agents, MerchantName } from './spend.ts'
import { DAYS, dayAt, HOUR_MS, MINUTE_MS, SETTLED_AFTER_MS } from './times.ts'

/** The part of its final use that an agent spends on ordinary days; `story.ts` spends the rest. */
const ORDINARY: Readonly<Record<AgentName, number>> = { research: 0.85, travel: 0.72, ops: 0.74 }

/** A purchase whose amount follows from its weight, so that all of them add up to a given sum. */
interface Draft {
  readonly at: Instant
  readonly agent: AgentName
  readonly weight: number
  run(amount: number, stage: Stage): Promise<void>
}

/** The purchases of ordinary days. Weekends are quieter. */
export function planOrdinary(startedAt: Instant, agents: Agents): Move[] {
  const random = createRandom(20_261_117)
  const drafts: Draft[] = []
  for (let daysAgo = DAYS - 1; daysAgo >= 0; daysAgo--) {
    const weekday = new Date(dayAt(startedAt, daysAgo, 12)).getUTCDay()
    const isWeekend = weekday === 0 || weekday === 6
    const hourOf = (): number => random.between(6.2, 16.8)
    const at = (): Instant => dayAt(startedAt, daysAgo, hourOf())
    drafts.push(...researchDay(random, agents, at, isWeekend ? 1 : 4))
    if (daysAgo % 2 === 0) drafts.push(weatherOf(random, agents, at()))
    if (!isWeekend) drafts.push(...travelDay(random, agents, at, daysAgo))
    // The budget of the ops runner was used up yesterday.
    if (!isWeekend && daysAgo > 1 && daysAgo < DAYS - 1) {
      drafts.push(...opsDay(random, agents, at, daysAgo))
    }
  }
  const end = startedAt - 4 * HOUR_MS
  return withAmounts(drafts.filter((draft) => draft.at < end))
}

function withAmounts(drafts: readonly Draft[]): Move[] {
  return drafts.map(({ at, agent, weight, run }) => {
    const { budgetTotal, percentUsed } = AGENT_PLANS[agent]
    const sum = (budgetTotal * percentUsed * ORDINARY[agent]) / 100
    const weights = drafts.reduce((all, one) => all + (one.agent === agent ? one.weight : 0), 0)
    const amount = Math.max(0.01, Math.round((sum * weight * 100) / weights) / 100)
    return { at, run: (stage) => run(amount, stage) }
  })
}

const QUESTIONS = [
  ['api.openai.com', 'llm', 'Summarize the tender documents'],
  ['api.anthropic.com', 'llm', 'Compare three supplier contracts'],
  ['api.openai.com', 'llm', 'Draft the weekly market report'],
  ['search.brightfind.example', 'search', 'Search for freight prices'],
  ['papers.openshelf.example', 'papers', 'Paper on demand forecasting'],
] as const

function researchDay(
  random: Random,
  agents: Agents,
  at: () => Instant,
  count: number,
): readonly Draft[] {
  return Array.from({ length: count }, () => {
    const [vendor, category, reason] = random.pick(QUESTIONS)
    const weight = category === 'llm' ? random.between(0.7, 2) : random.between(0.2, 0.7)
    const parts = Array.from({ length: Math.round(random.between(3, 6)) }, () =>
      random.between(0.6, 1.4),
    )
    const job = `job-${Math.round(random.between(10_000, 99_999))}`
    // A task calls the model several times at once. The gateway judges such spends in one batch, so
    // they cost the demo little more than one.
    const spend = async (amount: number): Promise<void> => {
      const calls = splitCents(amount, parts).map((part, index) => {
        const reference = `${job}-${index + 1}`
        return agents.spend('research', { amount: part, vendor, category, reason, reference })
      })
      await Promise.all(calls)
    }
    return { at: at(), agent: 'research', weight, run: spend }
  })
}

/** Splits an amount by these weights. Every part is at least one cent, and the parts add up to the amount. */
function splitCents(amount: number, weights: readonly number[]): number[] {
  const cents = Math.round(amount * 100)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const parts = weights.map((weight) => Math.max(1, Math.floor((cents * weight) / all)))
  const rest = cents - parts.reduce((sum, part) => sum + part, 0)
  return [(parts[0] ?? 0) + Math.max(0, rest), ...parts.slice(1)].map((part) => part / 100)
}

const WEATHER = [
  'forecast/stockholm',
  'forecast/oslo',
  'history/baltic',
  'warnings/nordic',
] as const

function weatherOf(random: Random, agents: Agents, at: Instant): Draft {
  const what = random.pick(WEATHER)
  const run = async (amount: number, stage: Stage): Promise<void> => {
    await agents.pay(amount, what)
    // The gateway looks at the chain, and finds the transfer.
    stage.later(SETTLED_AFTER_MS, stage.round)
  }
  return { at, agent: 'research', weight: random.between(0.05, 0.25), run }
}

function travelDay(
  random: Random,
  agents: Agents,
  at: () => Instant,
  daysAgo: number,
): readonly Draft[] {
  const cards = (
    [
      ['taxi', random.between(0.12, 0.3)],
      ['coffee', random.between(0.03, 0.07)],
      ['scandic', random.between(0.8, 1.3)],
    ] as const
  ).filter((_, index) => (daysAgo + index) % 3 !== 0)
  const trip = random.pick([
    ['sas.se', 'Flight for a customer visit', random.between(1, 1.8)],
    ['sj.se', 'Train to the customer', random.between(0.3, 0.6)],
  ] as const)
  const [vendor, reason, weight] = trip
  const book = async (amount: number, stage: Stage): Promise<void> => {
    const purchase = { amount, vendor, category: 'travel', reason, hold: { expiresIn: '2d' } }
    const { transactionId } = await agents.spend('travel', purchase)
    stage.later(25 * MINUTE_MS, async () => {
      await agents.settle('travel', transactionId)
    })
  }
  return [
    ...cards.map(([merchant, cardWeight]) => ({
      ...{ at: at(), agent: 'travel' as const, weight: cardWeight },
      run: (amount: number, stage: Stage) => swipe(agents, stage, 'travel', merchant, amount),
    })),
    ...(daysAgo % 2 === 0 ? [{ at: at(), agent: 'travel' as const, weight, run: book }] : []),
  ]
}

/** An authorization, and the capture of the next night. */
async function swipe(
  agents: Agents,
  stage: Stage,
  agent: 'travel' | 'ops',
  merchant: MerchantName,
  amount: number,
): Promise<void> {
  const { authorizationId } = await agents.swipe(agent, merchant, amount)
  stage.later(9 * HOUR_MS, () =>
    agents.cardEvent(authorizationId, { type: 'capture', amount, final: true }),
  )
}

const SUPPLIES: readonly [Line['name'], ...Line['name'][]] = [
  'Printer paper',
  'Toner',
  'Notebooks',
  'Shipping labels',
]

function opsDay(
  random: Random,
  agents: Agents,
  at: () => Instant,
  daysAgo: number,
): readonly Draft[] {
  if (daysAgo % 3 === 0) {
    const name = random.pick(SUPPLIES)
    const order = async (amount: number): Promise<void> => {
      const unitMinor = Math.max(100, Math.round(amount * 100) - 490)
      await agents.order([{ name, quantity: 1, unitMinor }])
    }
    return [{ at: at(), agent: 'ops', weight: random.between(0.8, 1.2), run: order }]
  }
  if (daysAgo % 3 === 1) {
    const run = (amount: number, stage: Stage) => swipe(agents, stage, 'ops', 'github', amount)
    return [{ at: at(), agent: 'ops', weight: random.between(0.4, 0.8), run }]
  }
  const reference = `invoice-${400 + daysAgo}`
  const pay = async (amount: number): Promise<void> => {
    const vendor = 'hetzner.com'
    await agents.spend('ops', {
      amount,
      vendor,
      category: 'cloud_data',
      reference,
      reason: 'Servers',
    })
  }
  return [{ at: at(), agent: 'ops', weight: random.between(0.6, 1.1), run: pay }]
}
