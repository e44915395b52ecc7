import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../packages/server/test/support/people.ts'
import { expectAccessible, expectAccessibleInBothThemes, expectStructure } from './support/axe.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import {
  CUT_AMOUNTS,
  CUT_TEXTS,
  removeTextSpacing,
  SIDEWAYS,
  setTextSpacing,
} from './support/measures.ts'
import {
  FURNISHED,
  type Furnished,
  furnish,
  isLoaded,
  nameOf,
  PAGES,
  pathOf,
} from './support/pages.ts'
import { keepPicture } from './support/screenshots.ts'
import { useOnePage } from './support/walk.ts'

/** A window of 1280 px that is zoomed to 200 % is 640 px wide, and one at 400 % is 320 px. */
const SIZES = [
  ['1280 px', 1280, 800],
  ['768 px', 768, 1024],
  ['200 % zoom', 640, 400],
  ['400 % zoom', 320, 256],
  ['320 px', 320, 700],
] as const

/**
 * Pages that draw other elements on a phone: the bars, rows as cards, the bar that decides. The colors
 * of the others are those of 1440 px, and axe spends most of its time on colors.
 */
const OWN_ON_PHONE: ReadonlySet<string> = new Set([
  '/',
  '/transactions',
  '/transactions/:transaction',
  '/approvals/:approval',
  '/agents',
  '/mandates',
  '/mandates/:mandate/edit',
  '/vendors',
  '/keys',
  '/audit',
  '/settings/members',
])

let app: ConsoleApp
let furnished: Furnished
let ada: Person
beforeAll(async () => {
  app = await startConsole(undefined, FURNISHED)
  furnished = await furnish(app)
  ada = await app.member(furnished.owner)
})
afterAll(() => app?.stop())

// Other tests load each page by its address.
const goThere = useOnePage(() => ({ app, as: ada }))
const open = (path: string): Promise<Page> => goThere(pathOf(path, furnished))

async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  )
  await isLoaded(page)
}

describePages('every page', () => {
  test.each(PAGES)(
    'has no findings of axe, and fits every width, zoom and text spacing: %s',
    async (path) => {
      const page = await open(path)
      expect(await page.evaluate(SIDEWAYS), `${path} at 1440 px`).toEqual([])
      await expectAccessibleInBothThemes(page, path, (theme) =>
        keepPicture(page, `page${nameOf(path)}-${theme}`),
      )
      for (const [name, width, height] of SIZES) {
        await resize(page, width, height)
        expect(await page.evaluate(SIDEWAYS), `${path} at ${name}`).toEqual([])
        expect(await page.evaluate(CUT_AMOUNTS), `${path} at ${name}`).toEqual([])
      }
      // The last size is that of a phone.
      const expectFine = OWN_ON_PHONE.has(path) ? expectAccessible : expectStructure
      await expectFine(page, `${path} at 320 px`)
      await keepPicture(page, `page${nameOf(path)}-320`)
      await setTextSpacing(page)
      for (const width of [320, 1440]) {
        await resize(page, width, 900)
        const name = `${path} at ${width} px with the text spacing of WCAG 1.4.12`
        expect(await page.evaluate(SIDEWAYS), name).toEqual([])
        expect(await page.evaluate(CUT_TEXTS), name).toEqual([])
      }
      await removeTextSpacing(page)
    },
  )

  test.each(['/sign-in', `/setup#${'a'.repeat(43)}`, `/accept#${'a'.repeat(43)}`, '/no-such-page'])(
    'has no findings of axe before the sign-in: %s',
    async (path) => {
      // No link has this token.
      const page = await app.open(path, undefined, { reducedMotion: 'reduce' })
      await isLoaded(page)
      const name = nameOf(path.replace(/#.*/, ''))
      await expectAccessibleInBothThemes(page, path, (theme) =>
        keepPicture(page, `door${name}-${theme}`),
      )
      await resize(page, 320, 700)
      expect(await page.evaluate(SIDEWAYS), path).toEqual([])
      await keepPicture(page, `door${name}-320`)
    },
  )
})

describePages('forced colors', () => {
  test.each(['/', '/transactions/:transaction', '/approvals/:approval', '/mandates/:mandate/edit'])(
    'keep the page readable, and its controls and charts visible: %s',
    async (path) => {
      const page = await open(path)
      await page.emulateMedia({ forcedColors: 'active' })
      await expectAccessible(page, `${path} in forced colors`)
      expect(await page.evaluate(INVISIBLE), path).toEqual([])
      await keepPicture(page, `page${nameOf(path)}-forced`)
      const control = page.locator('main').locator('a, button').first()
      await control.focus()
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Tab')
      expect(await page.evaluate(FOCUS_STYLE), path).toMatch(/^(?!none)\w+ [1-9]/)
    },
  )
})

/**
 * Buttons whose edge cannot be seen, and marks of charts that have the color of their ground. A
 * button that is only text or an icon needs no edge.
 */
const INVISIBLE = `(() => {
  const ground = getComputedStyle(document.body).backgroundColor
  const marks = [...document.querySelectorAll('main svg[role] rect, main svg[role] path')]
    .filter((one) => one.getBoundingClientRect().width > 1 && one.getBoundingClientRect().height > 1)
    .filter((one) => {
      const { fill, stroke, opacity } = getComputedStyle(one)
      const isClear = (color) => color === 'none' || color === ground || /^rgba.*, 0\\)$/.test(color)
      return isClear(fill) && isClear(stroke) && opacity !== '0' && !/transparent|ghost/.test(one.getAttribute('class') ?? '')
    })
  const fields = [...document.querySelectorAll('main input:not([type=hidden], [type=checkbox], [type=radio]), main button[class*=border]:not([role=tab])')]
    .filter((one) => one.offsetParent !== null && one.getBoundingClientRect().width > 2)
    .filter((one) => {
      const shown = [one, one.parentElement].some((element) => {
        const { borderTopStyle, borderTopColor, borderTopWidth } = getComputedStyle(element)
        return borderTopStyle !== 'none' && borderTopWidth !== '0px' && borderTopColor !== ground
      })
      return !shown
    })
  return [...marks, ...fields].map((one) => one.outerHTML.slice(0, 140))
})()`

const FOCUS_STYLE = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  return outlineStyle + ' ' + outlineWidth
})()`
