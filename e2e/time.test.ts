import { afterAll, beforeAll, expect, test } from 'vitest'
import { countAll } from '../packages/server/test/support/analytics.ts'
import type { Owner } from '../packages/server/test/support/app.ts'
import { anActiveMandate, anAgent, bodyOf } from '../packages/server/test/support/builders.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { spend } from './support/seed.ts'

/**
 * Spends around both changes of summer time in Berlin, and around the midnight from Sunday to
 * Monday. Each amount is a power of two, so that a sum says which spends are in it.
 */
const SPENDS = [
  // Saturday 28 March 2026, 23:30.
  ['2026-03-28T22:30:00Z', 1],
  // Sunday 29 March, a day of 23 hours: 00:30, 03:30 and 23:30.
  ['2026-03-28T23:30:00Z', 2],
  ['2026-03-29T01:30:00Z', 4],
  ['2026-03-29T21:30:00Z', 8],
  // Monday 30 March, 00:30.
  ['2026-03-29T22:30:00Z', 16],
  // Saturday 24 October, 23:30.
  ['2026-10-24T21:30:00Z', 32],
  // Sunday 25 October, a day of 25 hours: 00:30, 02:30 for the second time, and 23:30.
  ['2026-10-24T22:30:00Z', 64],
  ['2026-10-25T01:30:00Z', 128],
  ['2026-10-25T22:30:00Z', 256],
  // Monday 26 October, 00:30.
  ['2026-10-25T23:30:00Z', 512],
] as const

describePages('days', () => {
  let app: ConsoleApp
  let owner: Owner
  let ada: Person
  beforeAll(async () => {
    app = await startConsole()
    owner = await app.organization('Meridian Labs')
    app.clock.now = Date.parse('2026-03-28T12:00:00Z')
    bodyOf(await owner.patch('/organization', { timezone: 'Europe/Berlin' }))
    const agent = await anAgent(owner, { name: 'Travel booker' })
    await anActiveMandate(owner, { agentId: agent.id, name: 'Travel', budgetTotal: 10_000 })
    for (const [at, amount] of SPENDS) {
      app.clock.now = Date.parse(at)
      await spend(owner, agent.id, [amount])
    }
    app.clock.now = undefined
    await countAll(app)
    ada = await app.member(owner)
  })
  afterAll(() => app?.stop())

  /** A browser far from the zone of the organization: there, most of these spends are a day earlier. */
  const open = (path: string) => app.open(path, ada, { timezone: 'America/Los_Angeles' })

  test.each([
    [
      'the short day of spring',
      'from=2026-03-20&to=2026-04-05',
      'March',
      [28, 29, 30],
      [1, 14, 16],
    ],
    [
      'the long day of autumn',
      'from=2026-10-20&to=2026-11-05',
      'October',
      [24, 25, 26],
      [32, 448, 512],
    ],
  ] as const)('begin at midnight of the organization: %s', async (_, range, month, days, sums) => {
    const page = await open(`/?${range}`)
    for (const [index, name] of ['Sat', 'Sun', 'Mon'].entries()) {
      const sentence = `${name} ${days[index]} ${month}: ${sums[index]}.00 USD spent`
      await page.getByRole('link', { name: sentence }).waitFor()
    }
    await keepPicture(page, `days-${month}`)
  })

  test('of a bar are those of the list behind it', async () => {
    const page = await open('/?from=2026-10-20&to=2026-11-05')
    await page.getByRole('link', { name: /^Sun 25 October/ }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/from=2026-10-25&to=2026-10-26/)
    await page.getByRole('row', { name: /256\.00/ }).waitFor()
    const table = page.getByRole('table', { name: 'Transactions' })
    expect(await table.getByRole('link').count()).toBe(3)
    for (const amount of ['64.00', '128.00']) {
      await page.getByRole('row', { name: new RegExp(amount) }).waitFor()
    }
  })

  test('make weeks that end on Sunday', async () => {
    const page = await open('/?from=2026-08-01&to=2026-11-10')
    await page.getByRole('link', { name: 'Week of 19 October: 480.00 USD spent' }).waitFor()
    await page.getByRole('link', { name: 'Week of 26 October: 512.00 USD spent' }).waitFor()
  })

  test('and hours of a decision are in the zone of the organization, and in UTC', async () => {
    const { body } = await owner.get('/transactions?limit=3')
    const [, , second] = body.data
    const page = await open(`/transactions/${second?.transactionId}`)
    // Clocks in Berlin showed 02:30 twice that night. This was the second time.
    await page.getByRole('heading', { name: /128\.00/ }).waitFor()
    await page.locator('time[datetime="2026-10-25T01:30:00.000Z"]').last().hover()
    const tip = page.getByRole('tooltip').filter({ hasText: 'Europe/Berlin' })
    await tip.getByText('25 October 2026, 02:30:00').waitFor()
    await tip.getByText('2026-10-25T01:30:00.000Z').waitFor()
  })
})
