import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../packages/server/test/support/people.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { FURNISHED, type Furnished, furnish, isLoaded } from './support/pages.ts'

const SCROLLED = 20

describePages('the scroll position', () => {
  let app: ConsoleApp
  let furnished: Furnished
  let ada: Person
  beforeAll(async () => {
    app = await startConsole(undefined, FURNISHED)
    furnished = await furnish(app)
    ada = await app.member(furnished.owner)
  })
  afterAll(() => app?.stop())

  /** A low window, in which every page is longer than the sheet. */
  const open = async (path: string): Promise<Page> => {
    const page = await app.open(path, ada)
    await page.setViewportSize({ width: 1440, height: 300 })
    await isLoaded(page)
    return page
  }

  test('of a screen starts at the top, and comes back with Back', async () => {
    // Both pages are longer than the window, so the browser alone keeps the place.
    const page = await open('/keys')
    await scroll(page)
    await page.getByRole('link', { name: 'Overview' }).first().click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await isLoaded(page)
    expect(await page.evaluate(`document.querySelector('main').scrollHeight`)).toBeGreaterThan(500)
    expect(await top(page)).toBe(0)
    await page.goBack()
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    await expect.poll(() => top(page)).toBe(SCROLLED)
  })

  test('of a screen stays when its address opens a dialog', async () => {
    const page = await open('/keys')
    await scroll(page)
    // A press by the pointer would scroll to the button first.
    const button = page.getByRole('button', { name: 'Create key' }).first()
    await button.evaluate((one: { click(): void }) => one.click())
    await page.getByRole('dialog').waitFor()
    expect(await top(page)).toBe(SCROLLED)
  })
})

async function scroll(page: Page): Promise<void> {
  await page.evaluate(`document.querySelector('main').scrollTo(0, ${SCROLLED})`)
  await expect.poll(() => top(page)).toBe(SCROLLED)
}

function top(page: Page): Promise<number> {
  return page.evaluate<number>(`document.querySelector('main').scrollTop`)
}
