import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { setTheme } from './theme.ts'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules whose answer depends on the theme. They take most of the time of axe. */
const COLORS = ['color-contrast', 'link-in-text-block']

interface Finding {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

const OPTIONS = {
  all: { runOnly: { type: 'tag', values: TAGS } },
  structure: {
    runOnly: { type: 'tag', values: TAGS },
    rules: Object.fromEntries(COLORS.map((rule) => [rule, { enabled: false }])),
  },
  colors: { runOnly: { type: 'rule', values: COLORS } },
}

/** Fails with what axe-core finds on the page as it is now. */
export async function expectAccessible(page: Page, name = page.url()): Promise<void> {
  await expectNone(page.locator('html'), 'all', name)
}

/** The same without the rules about colors, for a page whose colors are checked at a different width. */
export async function expectStructure(page: Page, name: string): Promise<void> {
  await expectNone(page.locator('html'), 'structure', name)
}

/** The same in both themes, on one load of the page. The picture is taken in each. */
export async function expectAccessibleInBothThemes(
  page: Page,
  name: string,
  picture: (theme: 'light' | 'dark') => Promise<void> = async () => {},
): Promise<void> {
  await expectNone(page.locator('html'), 'all', `${name}, light`)
  await picture('light')
  await setTheme(page, 'dark')
  await expectNone(page.locator('html'), 'colors', `${name}, dark`)
  await picture('dark')
}

/**
 * A dialog, drawer or menu over a page whose own colors are checked elsewhere: the structure of the
 * whole document, and the colors of the layer in both themes.
 */
export async function expectAccessibleLayer(layer: Locator, name: string): Promise<void> {
  const page = layer.page()
  await expectNone(page.locator('html'), 'structure', name)
  await expectNone(layer, 'colors', `${name}, light`)
  await setTheme(page, 'dark')
  await expectNone(layer, 'colors', `${name}, dark`)
  await setTheme(page, 'light')
}

async function expectNone(root: Locator, part: keyof typeof OPTIONS, name: string): Promise<void> {
  const page = root.page()
  const isThere = await page.evaluate<boolean>(`'axe' in globalThis`)
  if (!isThere) await page.evaluate(SOURCE)
  // A color in the middle of a transition has a contrast that no person ever reads.
  await page.evaluate(AT_REST)
  const options = { ...OPTIONS[part], resultTypes: ['violations'], preload: false, iframes: false }
  const found: readonly Finding[] = await root.evaluate(async (element, asked) => {
    const { axe, document } = globalThis as unknown as {
      document: { documentElement: unknown }
      axe: { run: (root: unknown, options: object) => Promise<{ violations: Finding[] }> }
    }
    const isAll = (element as unknown) === document.documentElement
    return (await axe.run(isAll ? document : element, asked)).violations
  }, options)
  const texts = found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n  ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join('\n  ')}`,
  )
  expect(texts, name).toEqual([])
}

/** Waits for the transitions that run now. A skeleton never stops to pulse, so it does not count. */
const AT_REST = `Promise.allSettled(document.getAnimations()
  .filter(({ playState, effect }) => playState === 'running' &&
    effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => {})`
