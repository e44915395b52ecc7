import { expect, test } from 'vitest'
import { createTestDatabase, describeOnPostgres } from '../support/database.ts'
import { sized } from '../support/sized.ts'
import { runWebhookDrill } from '../support/webhook-drill.ts'

// More events and many more kills: torture/webhooks.ts.

const seed = Date.now() % 1_000_000
const EVENTS = sized(1_000, 10_000)
const KILLS = sized(3, 6)

describeOnPostgres(
  'thousands of events, receivers that do their worst, and gateways that are killed',
  () => {
    test('end with every event acknowledged or tried five times, and every request in the log', async () => {
      const database = await createTestDatabase('postgres')
      const began = Date.now()
      const { faults, ...figures } = await runWebhookDrill({
        databaseUrl: database.url,
        gateways: 3,
        kills: KILLS,
        decisions: 0.2 * EVENTS,
        rejections: 0.8 * EVENTS,
        clients: 16,
        seed,
      })
      const seconds = Math.round((Date.now() - began) / 1_000)
      console.info(`Webhooks under fire, seed ${seed}, ${seconds} s: ${JSON.stringify(figures)}`)
      expect(faults.slice(0, 10)).toEqual([])
      expect(figures.events).toBeGreaterThanOrEqual(EVENTS)
      expect(figures.interrupted).toBeGreaterThan(0)
      expect(figures.failed).toBeGreaterThan(0)
      await database.drop()
    })
  },
)
