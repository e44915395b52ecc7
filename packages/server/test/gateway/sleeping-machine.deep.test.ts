import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantOf, toUuid } from '../../src/core/id.ts'
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/database.ts'
import { addMandate, openSite, type Site } from '../support/gateway-cluster.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { SLEEPING_CLOCK, SLEPT_MS } from '../support/sleeping-clock.ts'
import { aSpend } from '../support/spends.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

describeOnPostgres('a gateway whose machine has slept', () => {
  let database: TestDatabase
  let site: Site
  let gateway: GatewayProcess

  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    const opened = await openSite({ databaseUrl: database.url }, { [SLEEPING_CLOCK]: '1' })
    site = opened.site
    gateway = opened.first
  })
  afterAll(async () => {
    await gateway?.stop()
    await site?.close()
    await database?.drop()
  })

  async function spend(agentId: string, sleptMs: number) {
    const response = await fetch(`${gateway.url}/api/v1/gateway/evaluate`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${site.apiKey}`,
        'content-type': 'application/json',
        [SLEPT_MS]: String(sleptMs),
      },
      body: JSON.stringify(aSpend(agentId, { amount: 1 })),
    })
    const body = (await response.json()) as {
      readonly transactionId: string
      readonly evaluationDetails: { readonly evaluatedAt: string }
    }
    const idTime = instantOf(toUuid('txn', body.transactionId) ?? '')
    return Math.abs(idTime - Date.parse(body.evaluationDetails.evaluatedAt))
  }

  test('asks the database for the time before it makes an id', async () => {
    const { agentId } = await addMandate(site, gateway, { budgetTotal: 100 })
    expect(await spend(agentId, 0)).toBeLessThan(MINUTE_MS)
    // A background task may be reading the clock while the test turns it: then one more sleep.
    await expect.poll(() => spend(agentId, HOUR_MS)).toBeLessThan(MINUTE_MS)
    expect(await spend(agentId, 0)).toBeLessThan(MINUTE_MS)
    await expect.poll(() => spend(agentId, 20 * MINUTE_MS)).toBeLessThan(MINUTE_MS)
  })
})
