import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Owner } from '../packages/server/test/support/app.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { keepPicture } from './support/screenshots.ts'
import { aTraveller, spend, type Traveller } from './support/seed.ts'

describePages('the list of transactions', () => {
  let app: ConsoleApp
  let owner: Owner
  let ada: Person
  let booker: Traveller
  beforeAll(async () => {
    app = await startConsole()
  })
  afterAll(() => app?.stop())
  beforeEach(async () => {
    owner = await app.organization('Meridian Labs')
    ada = await app.member(owner)
    booker = await aTraveller(owner, { name: 'Travel booker' })
  })

  test('shows a spend that was just decided, without a reload', async () => {
    const page = await app.open('/transactions', ada)
    await page.getByText('No transactions yet.').waitFor()
    await isLive(page)
    await spend(owner, booker.agent.id, [12.5])
    const row = page.getByRole('row', { name: /api\.openai\.com/ })
    await row.getByText('Travel booker').waitFor()
    await row.getByText('12.50').waitFor()
  })

  test('never moves rows under the pointer: new ones wait behind a pill', async () => {
    await spend(owner, booker.agent.id, [1])
    const page = await app.open('/transactions', ada)
    await isLive(page)
    await page.getByRole('row', { name: /1\.00/ }).hover()
    await spend(owner, booker.agent.id, [2], [3])
    await page.getByRole('button', { name: '2 new' }).waitFor()
    expect(await vendorRows(page)).toHaveLength(1)
    await page.mouse.move(0, 0)
    await page.getByRole('row', { name: /3\.00/ }).waitFor()
    expect(await vendorRows(page)).toHaveLength(3)
  })

  test('pauses by a key, counts meanwhile, and goes on', async () => {
    const page = await app.open('/transactions', ada)
    await isLive(page)
    await page.keyboard.press('p')
    await page.waitForURL(/live=off/)
    await spend(owner, booker.agent.id, [4])
    await page.getByText(/Paused at .* 1 new since/).waitFor()
    await page.keyboard.press('p')
    await page.getByRole('row', { name: /4\.00/ }).waitFor()
  })

  test('explains a rejected spend in the drawer: the sentence, the rules, the agent', async () => {
    const [id] = await spend(owner, booker.agent.id, [80])
    const page = await app.open('/transactions', ada)
    await page.getByRole('link', { name: 'api.openai.com' }).click()
    await page.waitForURL(new RegExp(`/transactions/${id}`))
    const drawer = page.getByRole('complementary', { name: /^Why\? Rejected: 80\.00 USD/ })
    await drawer.getByRole('heading', { name: /Rejected:/ }).waitFor()
    await drawer.getByText('Travel booker').first().waitFor()
    await expect.poll(() => page.title()).toMatch(/^Rejected: 80\.00 USD/)
    await expectAccessible(page)
    await keepPicture(page, 'transaction-why')
    await drawer.getByRole('tab', { name: 'JSON' }).click()
    await page.waitForURL(/tab=json/)
    await drawer.getByText('"decision": "rejected"').waitFor()
    await page.goBack()
    await page.waitForURL(/\/transactions(\?.*)?$/)
  })

  test('explains a row that lacks the details of newer versions', async () => {
    const [id] = await spend(owner, booker.agent.id, [80])
    await app.rows(
      `update transactions set details = '{"message": "Too much."}' where organization_id = $1`,
      [owner.organizationId],
    )
    const page = await app.open(`/transactions/${id}`, ada)
    const drawer = page.getByRole('complementary', { name: /^Why\?/ })
    await drawer.getByText('Too much.').waitFor()
    await drawer.getByText('No rule was checked.').waitFor()
    await drawer.getByRole('list', { name: 'Timeline' }).getByText('Rejected').waitFor()
  })

  test('is walked by j and k, opened by Enter and left by Escape, and the focus returns', async () => {
    await spend(owner, booker.agent.id, [1], [2], [3])
    const page = await app.open('/transactions', ada)
    await page.getByRole('row', { name: /1\.00/ }).waitFor()
    await page.keyboard.press('j')
    await focusIsIn(page, '3.00')
    await page.keyboard.press('j')
    await focusIsIn(page, '2.00')
    await page.keyboard.press('k')
    await focusIsIn(page, '3.00')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: /3\.00 USD/ }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('complementary', { name: /2\.00 USD/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/transactions$/)
    await focusIsIn(page, '2.00')
  })

  test('asks for the next transaction before the person steps to it', async () => {
    const [third, second, first] = await spend(owner, booker.agent.id, [1], [2], [3])
    const page = await app.open(`/transactions/${first}`, ada)
    await page.getByRole('complementary', { name: /3\.00 USD/ }).waitFor()
    await page.getByRole('row', { name: /1\.00/ }).waitFor()
    const ahead = page.waitForRequest((request) => request.url().endsWith(`/transactions/${third}`))
    await page.keyboard.press('j')
    await ahead
    await page.waitForURL(new RegExp(`/transactions/${second}`))
    await page.getByRole('complementary', { name: /2\.00 USD/ }).waitFor()
  })

  test('keeps its filters in the address, and Back takes them off', async () => {
    await spend(owner, booker.agent.id, [1], [80], [2, 'evil.example'])
    const page = await app.open('/transactions', ada)
    await page.getByRole('link', { name: /^Rejected/ }).click()
    await page.waitForURL(/decision=rejected/)
    await page.getByRole('row', { name: /1\.00/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Reason' }).click()
    await page.getByRole('dialog').getByText('Vendor not allowed').click()
    await page.waitForURL(/code=vendor_not_allowed/)
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /80\.00/ }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('row', { name: /evil\.example/ }).waitFor()
    expect(await vendorRows(page)).toHaveLength(1)
    await page.goBack()
    await page.getByRole('row', { name: /80\.00/ }).waitFor()
  })

  test('drops a filter that is no longer known, and says so', async () => {
    const page = await app.open('/transactions?colour=red&decision=rejected', ada)
    await page.getByText('1 filter of this link is no longer known.').waitFor()
    await page.waitForURL((url) => url.searchParams.get('decision') === 'rejected')
  })

  test('has nothing for a different organization', async () => {
    const [id] = await spend(owner, booker.agent.id, [1])
    const stranger = await app.member(await app.organization('Other'))
    const page = await app.open(`/transactions/${id}`, stranger)
    await page.getByText('There is no such transaction.').waitFor()
    expect(await page.content()).not.toContain('Travel booker')
  })
})

async function isLive(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Live' }).waitFor()
}

function vendorRows(page: Page): Promise<unknown[]> {
  return page.getByRole('table', { name: 'Transactions' }).getByRole('link').all()
}

/** Waits until the focus is in the row with this text. */
async function focusIsIn(page: Page, text: string): Promise<void> {
  await page
    .getByRole('row')
    .filter({ hasText: text, has: page.locator(':focus') })
    .waitFor()
}
