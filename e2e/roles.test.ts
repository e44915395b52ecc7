import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSpender, askFor } from '../packages/server/test/support/approvals.ts'
import type { Person } from '../packages/server/test/support/people.ts'
import { type ConsoleApp, startConsole } from './support/console-app.ts'
import { describePages } from './support/every-engine.ts'
import { FURNISHED, type Furnished, furnish, isLoaded, PAGES, pathOf } from './support/pages.ts'
import { goTo } from './support/walk.ts'

type Role = 'owner' | 'admin' | 'approver' | 'viewer'

let app: ConsoleApp
let furnished: Furnished
let people: Readonly<Record<Role, Person>>
beforeAll(async () => {
  app = await startConsole(undefined, FURNISHED)
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

const open = async (path: string, as: Person): Promise<Page> => {
  const page = await app.open(pathOf(path, furnished), as)
  await isLoaded(page)
  return page
}

describePages('every role on every page', () => {
  // Other tests open every page as an owner.
  test.each(['admin', 'approver', 'viewer'] as const)(
    'sees what the page is about, and who may use each locked control: %s',
    async (role) => {
      const page = await open('/', people[role])
      for (const path of PAGES) {
        await goTo(page, pathOf(path, furnished))
        const text = (await page.locator('main').textContent()) ?? ''
        expect(text.length, path).toBeGreaterThan(40)
        expect(text, path).not.toMatch(/could not be loaded|Something went wrong/i)
        expect(await page.evaluate(unexplained(role)), `${path} as ${role}`).toEqual([])
      }
    },
  )

  test.each(['approver', 'viewer'] as const)(
    'keeps keys and members from the role %s, with the reason',
    async (role) => {
      const page = await open('/keys', people[role])
      for (const path of ['/keys', '/keys/new', '/settings/members']) {
        await goTo(page, path)
        await page
          .getByText(/You are an? (approver|viewer)\. Ask an owner for a different role/)
          .first()
          .waitFor()
        expect(await page.getByRole('table').count(), path).toBe(0)
        expect(await page.getByRole('dialog').count(), path).toBe(0)
      }
    },
  )

  test('a locked control says who may on focus and on hover, and does nothing', async () => {
    const page = await open('/agents/:agent', people.viewer)
    const changes: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(request.url())
    })
    const pause = page.getByRole('button', { name: 'Pause' })
    const reason = page.getByRole('tooltip', { name: '' }).filter({
      hasText: 'For owners and admins. You are a viewer.',
    })
    await pause.focus()
    await reason.waitFor()
    await page.keyboard.press('Escape')
    await reason.waitFor({ state: 'detached' })
    await page.mouse.move(0, 0)
    await pause.hover()
    await reason.waitFor()
    await pause.click({ force: true })
    await page.keyboard.press('Enter')
    expect(await pause.getAttribute('aria-describedby')).not.toBe(null)
    await page.getByRole('button', { name: 'More' }).click()
    const item = page.getByRole('menuitem', { name: /Delete/ })
    await item.getByText('For owners and admins. You are a viewer.').waitFor()
    expect(changes).toEqual([])
  })
})

describePages('a role that changed meanwhile', () => {
  /** An admin whose page does not hear that they became a viewer. */
  async function demoted(path: string): Promise<{ page: Page; demote(): Promise<void> }> {
    const member = await app.member(furnished.owner, 'admin')
    const page = await app.open('/sign-in', member)
    await page.route('**/api/v1/events', (route) => route.abort())
    await page.goto(app.origin + pathOf(path, furnished))
    await isLoaded(page)
    return {
      page,
      async demote() {
        const url = `/console/api/members/${member.id}`
        // Only a person who has just signed in may change roles.
        const boss = await app.member(furnished.owner)
        const answer = await boss.patch(url, { role: 'viewer' })
        expect(answer.status, answer.text).toBe(200)
      },
    }
  }

  test('a button that was enabled says that the gateway refused', async () => {
    const { page, demote } = await demoted('/agents/:agent')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await demote()
    const answer = page.waitForResponse((one) => one.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Pause' }).click()
    expect((await answer).status()).toBe(403)
    await page
      .getByRole('alert')
      .filter({ hasText: /scope|role|may|allow/i })
      .first()
      .waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  test('a form says so, and keeps what was typed', async () => {
    const { page, demote } = await demoted('/agents?new=1')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Night shift')
    await demote()
    const answer = page.waitForResponse((one) => one.request().method() === 'POST')
    await dialog.getByRole('button', { name: /^Register/ }).click()
    expect((await answer).status()).toBe(403)
    await dialog.getByText(/Request/).waitFor()
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Night shift')
  })

  test('an approval says so, and stays open', async () => {
    const spender = await aSpender(app, furnished.owner, String(furnished.ids['agent']))
    const spend = { amount: 25, vendor: 'api.openai.com', category: 'llm' }
    const id = await askFor(spender, String(furnished.ids['agent']), spend)
    const { page, demote } = await demoted(`/approvals/${id}`)
    await page.getByRole('button', { name: /^Approve 25\.00 USD/ }).waitFor()
    await demote()
    const answer = page.waitForResponse((one) => one.request().method() === 'POST')
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
    expect((await answer).status()).toBe(403)
    await page
      .getByText(/Request/)
      .first()
      .waitFor()
    await page.getByRole('heading', { name: /wants to spend 25\.00/ }).waitFor()
  })
})

/**
 * Controls that cannot be used, without a sentence that says why. A field says it itself or by the
 * locked button of its form.
 */
function unexplained(role: Role): string {
  return `[...document.querySelectorAll('main :is(button, input, select, textarea), main [aria-disabled=true]')]
    .filter((one) => one.matches('[aria-disabled=true]:not([aria-busy=true]), :disabled, [data-disabled]'))
    .filter((one) => one.offsetParent !== null)
    .filter((one) => {
      const ids = (one.getAttribute('aria-describedby') ?? '').split(' ')
      const texts = ids.map((id) => document.getElementById(id)?.textContent ?? '')
      if (texts.some((text) => text !== '')) return false
      const around = one.closest('form, section, fieldset, [role=dialog], li, tr, td')
      return ${role === 'owner' || role === 'admin' ? 'one.matches("[aria-disabled=true]")' : '!/You are an? /.test(around?.textContent ?? "")'}
    })
    .map((one) => one.outerHTML.slice(0, 200))`
}
