import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import { anAgent } from '../packages/server/test/support/builders.ts'
import { storeRejections } from '../packages/server/test/support/bulk-decisions.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { countFrames } from './support/frames.ts'
import { isLoaded } from './support/pages.ts'
import { aTraveller, spend } from './support/seed.ts'

const ROWS = 10_000
const EVENTS = 5_000
const STEPS = 200

// The times are printed and fail nothing, because the machine may be busy.
describePages('a long list', () => {
  let app: ConsoleApp
  let owner: Owner
  let agentId: string
  let ada: Person
  beforeAll(async () => {
    app = await startConsole()
    owner = await app.organization('Meridian Labs')
    const agent = await anAgent(owner, { name: 'Travel booker' })
    agentId = agent.id
    ada = await app.member(owner)
    for (let stored = 0; stored < ROWS; stored += 2_500) {
      await storeRejections(app.database.db, owner.organizationId, agentId, 2_500)
    }
  })
  afterAll(() => app?.stop())

  const open = async (): Promise<Page> => {
    const page = await app.open('/transactions', ada)
    await isLoaded(page)
    return page
  }

  test(`scrolls over ${ROWS} rows`, async () => {
    const page = await open()
    const table = page.getByRole('table', { name: 'Transactions' })
    await table.hover()
    const frames = await countFrames(page)
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 20_000)
        return lastRow(page)
      })
      .toBe(ROWS + 1)
    console.log(`${ROWS} rows scrolled: ${await frames.end()}`)
    expect(await table.getByRole('row').count()).toBeLessThan(200)
  })

  test(`walks ${STEPS} transactions in the drawer, and misses none`, async () => {
    const busy = await app.organization('Busy Labs')
    const { agent } = await aTraveller(busy)
    const spends = Array.from({ length: STEPS + 1 }, () => [0.01] as const)
    const ids = (await spend(busy, agent.id, ...spends)).toReversed()
    const page = await app.open(`/transactions/${ids[0]}`, await app.member(busy))
    await page.getByRole('complementary', { name: /^Why/ }).waitFor()
    const frames = await countFrames(page)
    for (let step = 0; step < STEPS; step++) {
      // The list loads its next page while the person walks.
      await expect.poll(() => lastRow(page)).toBeGreaterThan(step + 2)
      await page.keyboard.press('j')
    }
    await page.waitForURL(new RegExp(`/transactions/${ids[STEPS]}`))
    console.log(`the drawer moved ${STEPS} times by j: ${await frames.end()}`)
    expect(await page.evaluate('document.activeElement !== document.body')).toBe(true)
  })

  test(`takes ${EVENTS} events in a burst, and counts each once`, async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Live' }).waitFor()
    const table = page.getByRole('table', { name: 'Transactions' })
    await table.getByRole('row').nth(3).hover()
    const at = await table.getByRole('row').nth(3).textContent()
    const frames = await countFrames(page)
    await storeRejections(app.database.db, owner.organizationId, agentId, EVENTS)
    await page.getByRole('button', { name: '5,000 new' }).waitFor()
    console.log(`${EVENTS} events in a burst: ${await frames.end()}`)
    // The rows under the pointer stayed where they were.
    const now = await table.getByRole('row').nth(3).getByRole('link').textContent()
    expect(at).toContain(now)
    expect(await table.getByRole('row').count()).toBeLessThan(200)
  })
})

function lastRow(page: Page): Promise<number> {
  return page.evaluate<number>(
    `Math.max(...[...document.querySelectorAll('tr[aria-rowindex]')].map((row) => Number(row.getAttribute('aria-rowindex'))))`,
  )
}
