import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Person } from '../packages/server/test/support/people.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { isLoaded } from './support/pages.ts'
import { aTraveller } from './support/seed.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
}

const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../openapi.json'), 'utf8'),
)
const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
)

describePages('the API reference', () => {
  let app: ConsoleApp
  let ada: Person
  beforeAll(async () => {
    app = await startConsole()
  })
  afterAll(() => app?.stop())
  beforeEach(async () => {
    ada = await app.member(await app.organization('Meridian Labs'))
  })

  test('has the words, the fields and a sample of each operation', async () => {
    expect(OPERATIONS).toHaveLength(59)
    const page = await app.open('/reference', ada)
    await isLoaded(page)
    const main = page.getByRole('main')
    for (const { operationId, summary, method, path } of OPERATIONS) {
      await main.locator(`a[href="/reference/${operationId}"]`).first().click()
      await page.waitForURL(new RegExp(`/reference/${operationId}$`))
      await main.getByRole('heading', { name: summary, exact: true }).waitFor()
      const text = (await main.textContent()) ?? ''
      const [, below = path] = /^(?:\/api\/v1)?(\/[^{]*)/.exec(path) ?? []
      expect(text, operationId).toContain(below)
      expect(text.toUpperCase(), operationId).toContain(method.toUpperCase())
      expect(text, operationId).toMatch(/curl /)
    }
    await expectAccessible(page)
  })

  test('sends a harmless request with the session, and shows the answer', async () => {
    const owner = await app.organization('Meridian Labs')
    await aTraveller(owner)
    const page = await app.open('/reference/listAgents', await app.member(owner))
    await isLoaded(page)
    await page
      .getByRole('button', { name: /^(Try it|Send)/ })
      .first()
      .click()
    await page
      .getByText(/"Research agent"/)
      .first()
      .waitFor()
  })

  test('says that its document cannot be loaded, and loads it again', async () => {
    const page = await app.open('/sign-in', ada)
    let asked = 0
    await page.route('**/openapi.json', (route) => {
      asked += 1
      return asked === 1 ? route.fulfill({ status: 503, body: '' }) : route.continue()
    })
    const live = page.waitForResponse(/\/api\/v1\/events$/)
    await page.goto(`${app.origin}/reference/evaluate`)
    await page.getByText('The document could not be loaded.').waitFor()
    await live
    // The start of the stream reloads what events change, and the document is no part of that.
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Decide on a spend and record the decision' }).waitFor()
    expect(asked).toBe(2)
  })

  test('keeps the rail if its file is gone, and offers to reload', async () => {
    const page = await app.open('/agents', ada)
    await page.getByRole('heading', { name: 'Agents' }).waitFor()
    // As after an update of the gateway: the page names a file that is no longer there.
    const isGone = await missing(page)
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.getByText('A file of this page could not be loaded.').waitFor()
    await page.getByRole('link', { name: 'Agents' }).waitFor()
    await page.unroute(isGone)
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByRole('heading', { name: '59 operations' }).waitFor()
  })

  test('comes up although the gateway was busy for a moment', async () => {
    const page = await app.open('/no-such-page', ada)
    let asked = 0
    await page.route('**/console/api/me', (route) => {
      asked += 1
      return asked === 1 ? route.fulfill({ status: 503, body: '{}' }) : route.continue()
    })
    await page.goto(`${app.origin}/reference`)
    await page.getByRole('heading', { name: '59 operations' }).waitFor()
    expect(asked).toBeGreaterThan(1)
  })

  test('shows that it waits for its document, and names an operation that it lacks', async () => {
    const page = await app.open('/sign-in', ada)
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/openapi.json', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${app.origin}/reference/noSuchOperation`)
    await page.getByRole('heading', { name: 'API reference' }).waitFor()
    await page.getByText('Loading').first().waitFor({ state: 'attached' })
    release()
    await page.getByText('There is no such operation.').waitFor()
    await page.getByRole('navigation', { name: 'Operations' }).waitFor()
  })
})

/** Files that the page has not loaded yet are gone from now on. */
async function missing(page: Page): Promise<(url: URL) => boolean> {
  const loaded = await page.evaluate<string[]>(
    'performance.getEntriesByType("resource").map(({ name }) => name)',
  )
  const isGone = (url: URL) => url.pathname.endsWith('.js') && !loaded.includes(url.href)
  await page.route(isGone, (route) => route.fulfill({ status: 404, body: '' }))
  return isGone
}
