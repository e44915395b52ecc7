import { afterAll, beforeAll, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { aSubmission, createPathGateway } from '../support/path-gateway.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
let gateway: Gateway

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  gateway = createPathGateway(app)
})
afterAll(async () => {
  await gateway.stop()
  await app.stop()
})

/** As it could be written before there was a bound: judging a spend takes many milliseconds. */
async function aDearMandate(): Promise<string> {
  const tags = Array.from({ length: 20 }, (_, index) => `tag-${index}`)
  const { id, agentId } = await anActiveMandate(acme, { budgetTotal: 1_000 })
  await app.rows('update agents set tags = $2 where id = $1', [agentId, tags])
  const tests = Array.from({ length: 28 }, (_, index) => `!t.contains('x${index}')`)
  const expr = `agent.tags.all(t, ${tests.join(' && ')})`
  const rules = Array.from({ length: 64 }, (_, index) => ({
    type: 'expression',
    id: `dear-${index}`,
    effect: 'reject',
    expr,
  }))
  await app.rows('update mandate_versions set rules = $2 where mandate_id = $1', [
    toUuid('mnd', id),
    JSON.stringify(rules),
  ])
  return agentId
}

/** How many spends of one batch were judged before something else in the process had its turn. */
async function judgedInOneTurn(agentId: string): Promise<number> {
  let judged = 0
  let seen = 0
  const alongside = () => {
    judged += 1
    if (judged === 1) {
      setImmediate(() => {
        seen = judged
      })
    }
    return []
  }
  // The first makes a batch of its own. What waits meanwhile forms the next.
  await Promise.all([
    gateway.decide(aSubmission(acme, agentId)),
    ...Array.from({ length: 10 }, () =>
      gateway.decide(aSubmission(acme, agentId, {}, { alongside })),
    ),
  ])
  expect(judged).toBeGreaterThanOrEqual(10)
  return seen
}

test('a batch that is dear to judge gives way between its spends', async () => {
  expect(await judgedInOneTurn(await aDearMandate())).toBeLessThan(10)
})

test('a batch that is cheap to judge is judged at once', async () => {
  const { agentId } = await anActiveMandate(acme, { budgetTotal: 1_000 })
  // A machine that stands still in the middle makes any batch long.
  await waitUntil(async () => (await judgedInOneTurn(agentId)) === 10)
})
