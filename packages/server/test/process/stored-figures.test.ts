import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GaugeName } from '../../src/metrics/catalogue.ts'
import { createRegistry } from '../../src/metrics/registry.ts'
import { watchStored } from '../../src/process/observation/stored-figures.ts'
import { readClock } from '../../src/storage/engine/clock.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { askFor } from '../support/approvals.ts'
import { bodyOf } from '../support/builders.ts'
import { ASKS, anAskingAgent } from '../support/messages.ts'
import { silentLog } from '../support/silent-log.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

const HOUR_MS = 3_600_000

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app?.stop())

test('the figures of work that waits say how much there is, and for how long', async () => {
  const { db } = app.database
  const acme = await app.organization()
  // No process listens there, so each delivery waits for its retry.
  bodyOf(await acme.patch('/organization', { webhookUrl: 'http://127.0.0.1:9/' }))
  // An organization from before analytics has no totals until the worker begins them.
  await app.rows('delete from analytics_books where organization_id = $1', [acme.organizationId])
  const { agentId, spender } = await anAskingAgent(app, acme, {
    rules: [{ ...ASKS, expiresIn: '7d' }],
  })
  await askFor(spender, agentId, { amount: 20 })
  await evaluate(acme, agentId, { amount: 1, hold: { expiresIn: '1h' } })
  const later = (await readClock(db)) + 2 * HOUR_MS
  const registry = createRegistry()
  const payments = async () => ({ count: 3, since: later - 60_000 })
  const paths = new Map([['x402', payments]])
  watchStored(registry, { db, log: silentLog, now: () => later, paths })
  let page = await registry.read()
  // A reading that takes long is shown by a later one.
  await waitUntil(async () => {
    page = await registry.read()
    return page.purser_holds_open !== undefined
  })
  const hoursOf = (name: GaugeName) =>
    Math.round(((page[name]?.[0]?.value ?? -1) * 1_000) / HOUR_MS)
  const countOf = (name: GaugeName) => page[name]?.[0]?.value ?? 0

  expect(countOf('purser_approvals_pending')).toBe(1)
  expect(hoursOf('purser_approvals_oldest_seconds')).toBe(2)
  expect(countOf('purser_holds_open')).toBe(1)
  expect(hoursOf('purser_holds_overdue_seconds')).toBe(1)
  expect(countOf('purser_webhook_queue_length')).toBeGreaterThan(0)
  expect(hoursOf('purser_outbox_lag_seconds')).toBe(2)
  // The log of this organization was never sealed.
  expect(countOf('purser_sealing_lag_entries')).toBeGreaterThan(0)
  expect(hoursOf('purser_sealing_lag_seconds')).toBe(2)
  const [feed] = await app.rows<{ last_number: bigint }>('select last_number from event_feeds')
  expect(countOf('purser_analytics_lag_entries')).toBe(Number(feed?.last_number))
  expect(page.purser_reconciler_open).toEqual([{ labels: ['x402'], value: 3 }])
  expect(page.purser_reconciler_lag_seconds).toEqual([{ labels: ['x402'], value: 60 }])
})
