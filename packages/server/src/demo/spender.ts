import { randomUUID } from 'node:crypto'
import { createPause } from '../base/pause.ts'
import type { Agents } from './past/spend.ts'
import { createRandom, type Random } from './random.ts'

const REST_MIN_MS = 4_000
const REST_MAX_MS = 12_000

/**
 * Spends a little every few seconds, so that the console moves. The amounts are small, because the
 * budgets should look the same after an hour.
 */
export function startSpender(
  agents: Agents,
  failed: (error: unknown) => void,
): { stop(): Promise<void> } {
  const random = createRandom(4)
  const pause = createPause()
  let isStopped = false

  async function run(): Promise<void> {
    while (!isStopped) {
      await pause.wait(random.between(REST_MIN_MS, REST_MAX_MS))
      if (isStopped) return
      await spendOnce(agents, random).catch(failed)
    }
  }

  const running = run()
  return {
    async stop() {
      isStopped = true
      pause.end()
      await running
    },
  }
}

/**
 * Mostly small spends of the research agent. The others spend, or try to, now and then. Each spend has
 * a reference of its own, else the mandates would soon take some for duplicates.
 */
async function spendOnce(agents: Agents, random: Random): Promise<void> {
  const cents = (low: number, high: number): number => Math.round(random.between(low, high)) / 100
  const reference = `job-${randomUUID().slice(0, 8)}`
  const draw = random.between(0, 100)
  if (draw < 52) {
    const [vendor, reason] = random.pick([
      ['api.openai.com', 'Classify an incoming mail'],
      ['api.anthropic.com', 'Check a clause'],
      ['api.openai.com', 'Translate a product page'],
    ])
    const purchase = { amount: cents(1, 12), vendor, category: 'llm' }
    await agents.spend('research', { ...purchase, reason, reference })
  } else if (draw < 70) {
    const vendor = 'search.brightfind.example'
    const purchase = { amount: cents(1, 4), vendor, category: 'search' }
    await agents.spend('research', { ...purchase, reason: 'Look up a price', reference })
  } else if (draw < 86) {
    // A price of an API, with parts of a cent.
    await agents.pay(Math.round(random.between(2_000, 30_000)) / 1e6, 'forecast/stockholm')
  } else if (draw < 89) {
    const { authorizationId, answer } = await agents.swipe('travel', 'coffee', cents(250, 420))
    const amount: unknown = answer.approvedAmount
    if (typeof amount === 'number' && amount > 0) {
      await agents.cardEvent(authorizationId, { type: 'capture', amount, final: true })
    }
  } else if (draw < 92) {
    const purchase = { amount: cents(400, 1_900), vendor: 'github.com', category: 'software' }
    await agents.spend('ops', { ...purchase, reason: 'Build minutes', reference })
  } else if (draw < 94) {
    const vendor = 'seo.contentmill.example'
    const purchase = { amount: cents(100, 600), vendor, category: 'data' }
    await agents.spend('research', { ...purchase, reference })
  } else {
    const purchase = { amount: cents(120, 300), vendor: 'sj.se', category: 'travel', reference }
    const hold = { expiresIn: '15m' }
    const { transactionId, status } = await agents.spend('travel', { ...purchase, hold })
    if (status === 'held') await agents.void('travel', transactionId)
  }
}
