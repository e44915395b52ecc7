import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../packages/server/test/support/people.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { FURNISHED, type Furnished, furnish, isLoaded, PAGES, pathOf } from './support/pages.ts'
import { goTo } from './support/walk.ts'

/** Addresses that name an object of the first organization in a filter or a form. */
const NAMING = [
  '/console/approvals/:approval',
  '/transactions?agent=:agent',
  '/transactions?mandate=:mandate',
  '/transactions?approval=:approval',
  '/transactions?card=:card',
  '/approvals?agent=:agent',
  '/mandates?agent=:agent',
  '/mandates/new?agent=:agent',
  '/mandates/new?from=:transaction',
  '/simulator?txn=:transaction',
  '/simulator?agent=:agent&amount=5&vendor=api.openai.com&category=llm',
  '/cards?agent=:agent',
  '/cards?connection=:connection',
  '/keys?agent=:agent',
  '/connect/curl?agent=:agent',
  '/audit?subject=:mandate',
  '/audit?actor=:agent',
  '/settings/webhook?transaction=:transaction',
] as const

/** Words that only the first organization has. */
const FOREIGN =
  /Procurement|وكيل|Treasury|Meridian|evil\.example|shop\.example|Company card|127\.0\.0\.1:9|4242/

describePages('a member of a different organization', () => {
  let app: ConsoleApp
  let furnished: Furnished
  let stranger: Person
  beforeAll(async () => {
    app = await startConsole(undefined, FURNISHED)
    furnished = await furnish(app)
    stranger = await app.member(await app.organization('Other'))
  })
  afterAll(() => app?.stop())

  test.each([
    ['an object', PAGES.filter((path) => path.includes(':'))],
    ['a filter or a form', NAMING],
  ] as const)('finds nothing at an address with the id of %s', async (kind, paths) => {
    const page = await app.open('/start', stranger)
    await isLoaded(page)
    const leaked: string[] = []
    page.on('response', (response) => {
      if (!/\/(api\/v1|console\/api)\//.test(response.url())) return
      if (response.headers()['content-type']?.includes('event-stream')) return
      response.text().then(
        (text) => {
          if (FOREIGN.test(text)) leaked.push(`${response.url()}: ${text.slice(0, 200)}`)
        },
        // The page has moved on, and the browser has dropped the body.
        () => {},
      )
    })
    for (const path of paths) {
      // The gateway itself redirects the link of a message, so the page's router does not know it.
      const isLink = path.startsWith('/console/')
      if (isLink) await page.goto(app.origin + pathOf(path, furnished))
      else await goTo(page, pathOf(path, furnished))
      if (isLink) await page.waitForURL(/\/approvals\//)
      await isLoaded(page)
      const main = page.locator('main')
      if (kind === 'an object')
        await main
          .getByText(/There is no such/)
          .first()
          .waitFor()
      const text = (await main.textContent()) ?? ''
      expect(text, path).not.toMatch(FOREIGN)
      expect(await page.title(), path).not.toMatch(FOREIGN)
    }
    expect(leaked).toEqual([])
  })
})
