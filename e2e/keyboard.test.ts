import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../packages/server/test/support/people.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { FURNISHED, type Furnished, furnish, isLoaded, pathOf } from './support/pages.ts'

/** More stops than any page has. */
const STOPS_MAX = 400

describePages('without a mouse', () => {
  let app: ConsoleApp
  let furnished: Furnished
  let ada: Person
  beforeAll(async () => {
    app = await startConsole(undefined, FURNISHED)
    furnished = await furnish(app)
    ada = await app.member(furnished.owner)
  })
  afterAll(() => app?.stop())

  const open = async (path: string): Promise<Page> => {
    const page = await app.open(pathOf(path, furnished), ada, { reducedMotion: 'reduce' })
    await isLoaded(page)
    return page
  }

  test.each([
    '/',
    '/transactions/:transaction',
    '/approvals/:approval',
    '/agents/:agent',
    '/mandates/:mandate/edit',
    '/settings/organization',
  ])('each stop of Tab shows the focus, and none is a trap: %s', async (path) => {
    const page = await open(path)
    await page.evaluate('document.activeElement?.blur()')
    const unseen: string[] = []
    let stops = 0
    let isAround = false
    while (!isAround && stops < STOPS_MAX) {
      await page.keyboard.press('Tab')
      const stop = await page.evaluate<Stop>(STOP)
      isAround = stop.isFirst && stops > 0
      stops += 1
      if (!stop.isVisible && !isAround) unseen.push(stop.html)
    }
    expect(isAround, `Tab came around after ${stops} stops`).toBe(true)
    expect(stops).toBeGreaterThan(10)
    expect(unseen).toEqual([])
  })

  test('the first stop leads past the rail', async () => {
    const page = await open('/transactions')
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to content' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.closest('main') !== null`)).toBe(true)
  })

  test('a chart is one stop: arrows read its days, and Enter opens their list', async () => {
    const page = await open('/')
    const chart = page.getByRole('group', { name: /^Spend per day/ })
    await chart.waitFor()
    expect(await chart.locator('a[tabindex="0"]').count()).toBe(1)
    await chart.locator('a[tabindex="0"]').focus()
    const today = await focused(page)
    expect(today).toMatch(/^\w{3} \d+ \w+: .+ USD spent/)
    await page.keyboard.press('ArrowLeft')
    expect(await focused(page)).not.toBe(today)
    await page.keyboard.press('Home')
    const first = await focused(page)
    await page.keyboard.press('End')
    expect(await focused(page)).toBe(today)
    expect(first).not.toBe(today)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/transactions\?from=/)
    await page.getByRole('table', { name: 'Transactions' }).getByRole('link').first().waitFor()
  })

  test('meters, charts and rows have names that say what they show', async () => {
    const page = await open('/')
    const meters = page.getByRole('meter')
    await meters.first().waitFor()
    for (const meter of await meters.all()) {
      expect(await meter.getAttribute('aria-label')).toMatch(/\w/)
      expect(await meter.getAttribute('aria-valuetext')).toMatch(/\w+ \w+/)
    }
    await page.getByRole('button', { name: 'As a table' }).first().click()
    const table = page.getByRole('table').first()
    await table.getByRole('columnheader').first().waitFor()
    await page.goto(`${app.origin}/transactions`)
    await page.getByRole('row', { name: /Rejected.*Procurement.*evil\.example.*5\.00/ }).waitFor()
  })
})

interface Stop {
  readonly isFirst: boolean
  readonly isVisible: boolean
  readonly html: string
}

const focused = (page: Page) =>
  page.evaluate<string>(`document.activeElement.getAttribute('aria-label') ?? ''`)

/**
 * Where the focus is. It can be seen if the element or a box around it has an outline, or if a mark
 * of a chart is highlighted.
 */
const STOP = `(() => {
  const one = document.activeElement
  const boxes = [one, one.parentElement, one.parentElement?.parentElement].filter(Boolean)
  const styles = [...boxes.map((box) => getComputedStyle(box)), getComputedStyle(one, '::after')]
  const hasOutline = styles.some(({ outlineStyle, outlineWidth }) => {
    return outlineStyle !== 'none' && outlineWidth !== '0px'
  })
  const isMark = one.closest('svg') !== null && one.querySelector('.fill-accent-soft') !== null
  const isHidden = one.matches('[data-base-ui-focus-guard]')
  return {
    isFirst: one === document.body || /Skip to content/.test(one.textContent) && one.matches('a[href="#main"]'),
    isVisible: hasOutline || isMark || isHidden || one === document.body,
    html: one.outerHTML.slice(0, 160),
  }
})()`
