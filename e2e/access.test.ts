import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../packages/server/test/support/people.ts'
import { expectAccessible } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { type Furnished, furnish, isLoaded, PAGES, pathOf } from './support/pages.ts'
import { keepPicture } from './support/screenshots.ts'

const BUILT = join(import.meta.dirname, '../packages/server/console')
const FIRST_LOAD_BYTES_MAX = 180_000
/** The overview still loads more than the 180,000 bytes that the design allows. This keeps it from growing. */
const OVERVIEW_BYTES_MAX = 195_000
const FONT_BYTES_MAX = 55_000

let app: ConsoleApp
let furnished: Furnished
let people: Readonly<Record<'owner' | 'admin' | 'approver' | 'viewer', Person>>
beforeAll(async () => {
  app = await startConsole()
  furnished = await furnish(app)
  const { owner } = furnished
  people = {
    owner: await app.member(owner, 'owner'),
    admin: await app.member(owner, 'admin'),
    approver: await app.member(owner, 'approver'),
    viewer: await app.member(owner, 'viewer'),
  }
})
afterAll(() => app?.stop())

const open = async (path: string, as: Person, width = 1440): Promise<Page> => {
  const page = await app.open(pathOf(path, furnished), as, { width })
  await isLoaded(page)
  return page
}

describePages('every page', () => {
  test.each(PAGES)('has no findings of axe in light and dark: %s', async (path) => {
    const page = await open(path, people.owner)
    await expectAccessible(page, `${path} light`)
    await keepPicture(page, `page${nameOf(path)}-light`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await expectAccessible(page, `${path} dark`)
    await keepPicture(page, `page${nameOf(path)}-dark`)
  })

  test.each(PAGES)(
    'fits 320 px without scrolling sideways, and stays accessible: %s',
    async (path) => {
      const page = await open(path, people.owner, 320)
      expect(await page.evaluate(SIDEWAYS), path).toEqual([])
      await expectAccessible(page, `${path} at 320 px`)
      await keepPicture(page, `page${nameOf(path)}-320`)
    },
  )

  test.each([768, 1280])('scrolls sideways at no width: %i px', async (width) => {
    const page = await open('/', people.owner, width)
    for (const path of PAGES) {
      await page.goto(app.origin + pathOf(path, furnished))
      await isLoaded(page)
      expect(await page.evaluate(SIDEWAYS), path).toEqual([])
    }
  })

  test.each(['admin', 'approver', 'viewer'] as const)(
    'says something to the role %s, and each locked control says why',
    async (role) => {
      const page = await open('/', people[role])
      for (const path of PAGES) {
        await page.goto(app.origin + pathOf(path, furnished))
        await isLoaded(page)
        const text = (await page.locator('main').textContent()) ?? ''
        expect(text.length, path).toBeGreaterThan(5)
        expect(text, path).not.toMatch(/could not be loaded|Something went wrong/i)
        expect(await page.evaluate(UNEXPLAINED), path).toEqual([])
      }
    },
  )

  test.each(['approver', 'viewer'] as const)(
    'keeps keys from the role %s, with the reason',
    async (role) => {
      const page = await open('/keys', people[role])
      await page
        .getByText(/For owners and admins\. You are an? (approver|viewer)\. Ask an owner/)
        .first()
        .waitFor()
      expect(await page.getByRole('table').count()).toBe(0)
    },
  )

  test('has nothing for a member of a different organization', async () => {
    const stranger = await app.member(await app.organization('Other'))
    const page = await open('/', stranger)
    for (const path of PAGES.filter((one) => one.includes(':'))) {
      await page.goto(app.origin + pathOf(path, furnished))
      await isLoaded(page)
      const text = (await page.locator('main').textContent()) ?? ''
      expect(text, path).toMatch(/There is no such/)
      expect(text, path).not.toContain('Procurement')
    }
  })
})

describePages('layers of a page', () => {
  test('have no findings of axe: the palette, the shortcuts, the menus', async () => {
    const page = await open('/', people.owner)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
    await expectAccessible(page, 'the palette')
    await keepPicture(page, 'palette')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page, 'the shortcuts')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menu').waitFor()
    await expectAccessible(page, 'the menu of the account')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
    await expectAccessible(page, 'the palette in dark')
  })

  test('the palette finds a page by its name, and goes there', async () => {
    const page = await open('/', people.owner)
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
  test.each([
    ['/', 'owner', OVERVIEW_BYTES_MAX],
    ['/sign-in', undefined, FIRST_LOAD_BYTES_MAX],
  ] as const)('is small: %s', async (path, role, most) => {
    const page = await app.open('/no-such-page', role && people[role])
    const files = new Set<string>()
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/assets/')) files.add(pathname)
    })
    await page.goto(app.origin + path)
    await isLoaded(page)
    const fonts = [...files].filter((name) => name.endsWith('.woff2'))
    const others = [...files].filter((name) => !fonts.includes(name))
    const sizes = others.map((name) => [statSync(`${join(BUILT, name)}.gz`).size, name] as const)
    const bytes = sum(sizes.map(([size]) => size))
    console.log(`${path} loads ${bytes} bytes (gz) in ${others.length} files`)
    const largest = sizes.toSorted(([a], [b]) => b - a).slice(0, 12)
    expect(bytes, JSON.stringify(largest, null, 1)).toBeLessThanOrEqual(most)
    expect(sum(fonts.map((name) => statSync(join(BUILT, name)).size))).toBeLessThan(FONT_BYTES_MAX)
  })
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

function nameOf(path: string): string {
  return path.replace(/\?.*/, '').replaceAll('/', '-').replaceAll(':', '')
}

/** The page itself and the sheet must not scroll sideways. Blocks inside them may. */
const SIDEWAYS = `[document.documentElement, document.querySelector('main')].flatMap((one) =>
  one && one.scrollWidth > one.clientWidth + 1
    ? [one.tagName + ': ' + one.scrollWidth + ' of ' + one.clientWidth]
    : [])`

/** Locked buttons without a sentence that says why. */
const UNEXPLAINED = `[...document.querySelectorAll('button[aria-disabled=true]:not([aria-busy])')]
  .filter((one) => {
    const id = one.getAttribute('aria-describedby')
    const texts = (id ?? '').split(' ').map((name) => document.getElementById(name)?.textContent)
    return !texts.some((text) => text)
  })
  .map((one) => one.outerHTML.slice(0, 160))`
