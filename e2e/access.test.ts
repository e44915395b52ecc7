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
/** With what a page loads by itself after its first paint. */
const WHOLE_BYTES_MAX = 204_000
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
 * Each page is loaded by itself. A file that the browser has already is counted too. The first load
 * ends at the mark that the page sets before it loads parts that its first paint does not need.
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
    const files = await page.evaluate<readonly Loaded[]>(LOADED)
    const fonts = files.filter(({ name }) => name.endsWith('.woff2'))
    const others = files
      .filter(({ name }) => !name.endsWith('.woff2'))
      .map((file) => ({ ...file, bytes: statSync(`${join(BUILT, file.name)}.gz`).size }))
    const first = sum(others.filter(({ isFirst }) => isFirst).map(({ bytes }) => bytes))
    const whole = sum(others.map(({ bytes }) => bytes))
    loads.push(`${first}, then ${whole - first}, in ${others.length} files: ${path}`)
    const largest = others.toSorted((a, b) => b.bytes - a.bytes).slice(0, 30)
    const message = `${path} ${JSON.stringify(largest, null, 1)}`
    expect.soft(first, message).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
    expect.soft(whole, message).toBeLessThanOrEqual(WHOLE_BYTES_MAX)
    expect
      .soft(sum(fonts.map(({ name }) => statSync(join(BUILT, name)).size)))
      .toBeLessThan(FONT_BYTES_MAX)
  }
  console.log(`Bytes of the first load (gz, without fonts):\n${loads.join('\n')}`)
}

interface Loaded {
  readonly name: string
  readonly isFirst: boolean
}

/** The files of the page. One that was asked for twice is counted once. */
const LOADED = `(() => {
  const drawn = performance.getEntriesByName('purser:drawn')[0]?.startTime ?? Infinity
  const files = new Map()
  for (const { name, startTime } of performance.getEntriesByType('resource')) {
    const { pathname } = new URL(name)
    if (!pathname.startsWith('/assets/') || files.has(pathname)) continue
    files.set(pathname, { name: pathname, isFirst: startTime < drawn })
  }
  return [...files.values()]
})()`

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
