import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Person } from '../packages/server/test/support/people.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>
}

/** Presses each link of the list, in the page itself, and measures the words that it opens. */
const OPEN_EACH = `(async () => {
  const list = 'nav[aria-label=Operations]'
  const lengths = []
  for (const link of document.querySelectorAll(list + ' a')) {
    link.click()
    const isOpen = () => document.querySelector(list + ' [aria-current]') === link
    while (!isOpen()) await new Promise((resolve) => requestAnimationFrame(resolve))
    lengths.push([link.pathname, document.querySelector('article')?.textContent.length ?? 0])
  }
  return lengths
})()`

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

  test('has words for each of its operations and events, and is never blank', async () => {
    const page = await app.open('/reference', ada)
    const { paths } = (await (await fetch(`${app.origin}/openapi.json`)).json()) as ApiDocument
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    await page.getByRole('heading', { name: `${ids.length} operations` }).waitFor()
    const lengths = await page.evaluate<[id: string, length: number][]>(OPEN_EACH)
    expect(lengths.length).toBeGreaterThan(ids.length)
    expect(lengths.filter(([, length]) => length < 40)).toEqual([])
    await expectAccessible(page)
  })

  test('says that its document cannot be loaded, and loads it again', async () => {
    const page = await app.open('/sign-in', ada, { mayFail: /503/ })
    let isDown = true
    await page.route('**/openapi.json', (route) =>
      isDown ? route.fulfill({ status: 503, body: '' }) : route.continue(),
    )
    await page.goto(`${app.origin}/reference/evaluate`)
    await page.getByText('The document could not be loaded.').waitFor()
    isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Decide on a spend and record the decision' }).waitFor()
  })

  test('keeps the rail if its file is gone, and offers to reload', async () => {
    const page = await app.open('/agents', ada, { mayFail: /404|dynamically imported/ })
    await page.getByRole('heading', { name: 'Agents' }).waitFor()
    // As after an update of the gateway: the page names files that are no longer there.
    await page.route(/\/assets\/reference-/, (route) => route.fulfill({ status: 404, body: '' }))
    await page.getByRole('link', { name: 'API reference' }).click()
    await page.getByText('A file of this page could not be loaded.').waitFor()
    await page.getByRole('link', { name: 'Agents' }).waitFor()
    await page.unroute(/\/assets\/reference-/)
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByRole('heading', { name: '59 operations' }).waitFor()
  })

  test('comes up although the gateway was busy for a moment', async () => {
    const page = await app.open('/no-such-page', ada, { mayFail: /503/ })
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
