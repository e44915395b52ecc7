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

/**
 * Each page is loaded by itself, until it is at rest. A file that the browser has already is counted
 * too, and so is one that the page loads by itself after its first paint.
 */
async function expectSmall(page: Page, paths: readonly string[]): Promise<void> {
  let latest = Date.now()
  page.on('request', () => {
    latest = Date.now()
  })
  const loads: string[] = []
  for (const path of paths) {
    await page.goto(app.origin + pathOf(path, furnished))
    await isLoaded(page)
    // The event stream never ends, so the page is at rest when it has sent no request for a while.
    await expect.poll(() => Date.now() - latest).toBeGreaterThan(QUIET_MS)
    const names = await page.evaluate<readonly string[]>(LOADED)
    const fonts = names.filter((name) => name.endsWith('.woff2'))
    const others = names
      .filter((name) => !name.endsWith('.woff2'))
      .map((name) => ({ name, bytes: statSync(`${join(BUILT, name)}.gz`).size }))
    const all = sum(others.map(({ bytes }) => bytes))
    loads.push(`${all} in ${others.length} files: ${path}`)
    const largest = others.toSorted((a, b) => b.bytes - a.bytes).slice(0, 30)
    const message = `${path} ${JSON.stringify(largest, null, 1)}`
    expect.soft(all, message).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
    expect
      .soft(sum(fonts.map((name) => statSync(join(BUILT, name)).size)))
      .toBeLessThan(FONT_BYTES_MAX)
  }
  console.log(`Bytes of the first load (gz, without fonts):\n${loads.join('\n')}`)
}

/** The files of the page. One that was asked for twice is counted once. */
const LOADED = `[...new Set(performance.getEntriesByType('resource')
  .map(({ name }) => new URL(name).pathname)
  .filter((path) => path.startsWith('/assets/')))]`

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
