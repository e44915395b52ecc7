import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../packages/server/test/support/people.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { FURNISHED, type Furnished, furnish, isLoaded, PAGES, pathOf } from './support/pages.ts'

const BUILT = join(import.meta.dirname, '../packages/server/console')
const FIRST_LOAD_BYTES_MAX = 180_000
/**
 * Addresses that load more than the design allows. These limits keep them from growing. The code of
 * every page is 156 kB: React, the router, the queries, the frame and the styles. A drawer adds 13 kB
 * to its list, the editor shows its form, tester and backtest at once, and the dialog of Base UI is
 * 23 kB.
 */
const LARGER: Readonly<Record<string, number>> = {
  '/transactions/:transaction': 194_000,
  '/mandates/:mandate/edit': 204_000,
  '/mandates/new': 202_000,
  '/start': 181_000,
  '/transactions': 181_000,
  '/settings/webhook': 181_000,
  '/settings/webhook/:delivery': 181_000,
  '/keys/new': 194_000,
  '/audit/0': 191_000,
}
const FONT_BYTES_MAX = 55_000
const QUIET_MS = 500

let app: ConsoleApp
let furnished: Furnished
let ada: Person
beforeAll(async () => {
  app = await startConsole(undefined, FURNISHED)
  furnished = await furnish(app)
  ada = await app.member(furnished.owner)
})
afterAll(() => app?.stop())

describePages('the palette', () => {
  test('finds a page by its name, and goes there', async () => {
    const page = await app.open('/', ada)
    await isLoaded(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('audit')
    await page
      .getByRole('option', { name: /Audit log/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/audit/)
  })
})

describePages('the first load', () => {
  test('of every page is small', async () => {
    const page = await app.open('/', ada)
    await expectSmall(page, PAGES)
  })

  test('of every door is small', async () => {
    const page = await app.open('/sign-in')
    await expectSmall(page, ['/sign-in', '/accept'])
  })
})

/** Each page is loaded by itself. A file that the browser has already is counted too. */
async function expectSmall(page: Page, paths: readonly string[]): Promise<void> {
  let files = new Set<string>()
  let latest = Date.now()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/assets/')) files.add(pathname)
    latest = Date.now()
  })
  const loads: string[] = []
  for (const path of paths) {
    files = new Set()
    await page.goto(app.origin + pathOf(path, furnished))
    await isLoaded(page)
    // Code that the page loads late by itself counts too. The event stream never ends, so the
    // page is at rest when it has sent no request for a while.
    await expect.poll(() => Date.now() - latest).toBeGreaterThan(QUIET_MS)
    const fonts = [...files].filter((name) => name.endsWith('.woff2'))
    const others = [...files].filter((name) => !fonts.includes(name))
    const sizes = others.map((name) => [statSync(`${join(BUILT, name)}.gz`).size, name] as const)
    const bytes = sum(sizes.map(([size]) => size))
    loads.push(`${bytes} in ${others.length} files: ${path}`)
    const largest = sizes.toSorted(([a], [b]) => b - a).slice(0, 30)
    expect
      .soft(bytes, `${path} ${JSON.stringify(largest, null, 1)}`)
      .toBeLessThanOrEqual(LARGER[path] ?? FIRST_LOAD_BYTES_MAX)
    expect
      .soft(sum(fonts.map((name) => statSync(join(BUILT, name)).size)))
      .toBeLessThan(FONT_BYTES_MAX)
  }
  console.log(`Bytes of the first load (gz, without fonts):\n${loads.join('\n')}`)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
